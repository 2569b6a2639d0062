import { hostChecks } from "../support/host.ts";
import { authorizeChecks } from "./checks.ts";

hostChecks("authorize", authorizeChecks);
