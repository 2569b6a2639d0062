import { hostChecks } from "../support/judging/host.ts";
import { powChecks } from "./suite.ts";

hostChecks("pow", powChecks);
