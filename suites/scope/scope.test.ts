import { hostChecks } from "../support/judging/host.ts";
import { scopeChecks } from "./suite.ts";

hostChecks("scope", scopeChecks);
