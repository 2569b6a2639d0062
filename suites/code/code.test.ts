import { hostChecks } from "../support/host.ts";
import { codeChecks } from "./checks.ts";

hostChecks("code", codeChecks);
