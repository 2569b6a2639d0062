import { hostChecks } from "../support/judging/host.ts";
import { refreshChecks } from "./suite.ts";

hostChecks("refresh", refreshChecks);
