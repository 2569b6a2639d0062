import { hostChecks } from "../support/host.ts";
import { tokenConfusionChecks } from "./checks.ts";

hostChecks("token-confusion", tokenConfusionChecks);
