import { hostChecks } from "../support/judging/host.ts";
import { metadataChecks } from "./suite.ts";

hostChecks("metadata", metadataChecks);
