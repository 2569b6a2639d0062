import { hostChecks } from "../support/judging/host.ts";
import { resourceChecks } from "./suite.ts";

hostChecks("resource", resourceChecks);
