import { hostChecks } from "../support/host.ts";
import { registrationChecks } from "./checks.ts";

hostChecks("registration", registrationChecks);
