import { hostChecks } from "../support/host.ts";
import { scopeChecks } from "./checks.ts";

hostChecks("scope", scopeChecks);
