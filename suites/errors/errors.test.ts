import { hostChecks } from "../support/judging/host.ts";
import { errorsChecks } from "./suite.ts";

hostChecks("errors", errorsChecks);
