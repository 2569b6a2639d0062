import { hostChecks } from "../support/judging/host.ts";
import { clientMetadataChecks } from "./suite.ts";

hostChecks("client-metadata", clientMetadataChecks);
