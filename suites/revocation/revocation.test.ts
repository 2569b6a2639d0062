import { hostChecks } from "../support/judging/host.ts";
import { revocationChecks } from "./suite.ts";

hostChecks("revocation", revocationChecks);
