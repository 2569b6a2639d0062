import { hostChecks } from "../support/judging/host.ts";
import { tokenChecks } from "./suite.ts";

hostChecks("token", tokenChecks);
