import { hostChecks } from "../support/host.ts";
import { agentsChecks } from "./checks.ts";

hostChecks("agents", agentsChecks);
