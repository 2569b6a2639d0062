import { hostChecks } from "../support/judging/host.ts";
import { registrationChecks } from "./suite.ts";

hostChecks("registration", registrationChecks);
