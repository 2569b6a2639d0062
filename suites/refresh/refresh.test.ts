import { hostChecks } from "../support/host.ts";
import { refreshChecks } from "./checks.ts";

hostChecks("refresh", refreshChecks);
