import { hostChecks } from "../support/host.ts";
import { bearerChecks } from "./checks.ts";

hostChecks("bearer", bearerChecks);
