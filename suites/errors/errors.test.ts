import { hostChecks } from "../support/host.ts";
import { errorsChecks } from "./checks.ts";

hostChecks("errors", errorsChecks);
