import { hostChecks } from "../support/judging/host.ts";
import { agentsChecks } from "./suite.ts";

hostChecks("agents", agentsChecks);
