import { hostChecks } from "../support/judging/host.ts";
import { authorizeChecks } from "./suite.ts";

hostChecks("authorize", authorizeChecks);
