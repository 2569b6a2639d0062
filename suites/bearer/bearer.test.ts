import { hostChecks } from "../support/judging/host.ts";
import { bearerChecks } from "./suite.ts";

hostChecks("bearer", bearerChecks);
