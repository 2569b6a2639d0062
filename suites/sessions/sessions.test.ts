import { hostChecks } from "../support/judging/host.ts";
import { sessionChecks } from "./suite.ts";

hostChecks("sessions", sessionChecks);
