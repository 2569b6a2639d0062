import { hostChecks } from "../support/judging/host.ts";
import { tokenConfusionChecks } from "./suite.ts";

hostChecks("token-confusion", tokenConfusionChecks);
