import { hostChecks } from "../support/host.ts";
import { accountHeaderChecks } from "./checks.ts";

hostChecks("account-header", accountHeaderChecks);
