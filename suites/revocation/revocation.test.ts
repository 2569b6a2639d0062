import { hostChecks } from "../support/host.ts";
import { revocationChecks } from "./checks.ts";

hostChecks("revocation", revocationChecks);
