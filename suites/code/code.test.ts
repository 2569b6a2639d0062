import { hostChecks } from "../support/judging/host.ts";
import { codeChecks } from "./suite.ts";

hostChecks("code", codeChecks);
