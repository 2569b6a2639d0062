import { hostChecks } from "../support/host.ts";
import { clientMetadataChecks } from "./checks.ts";

hostChecks("client-metadata", clientMetadataChecks);
