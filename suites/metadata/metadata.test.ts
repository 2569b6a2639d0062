import { hostChecks } from "../support/host.ts";
import { metadataChecks } from "./checks.ts";

hostChecks("metadata", metadataChecks);
