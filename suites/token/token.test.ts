import { hostChecks } from "../support/host.ts";
import { tokenChecks } from "./checks.ts";

hostChecks("token", tokenChecks);
