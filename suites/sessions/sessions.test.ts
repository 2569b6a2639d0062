import { hostChecks } from "../support/host.ts";
import { sessionChecks } from "./checks.ts";

hostChecks("sessions", sessionChecks);
