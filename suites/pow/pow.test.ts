import { hostChecks } from "../support/host.ts";
import { powChecks } from "./checks.ts";

hostChecks("pow", powChecks);
