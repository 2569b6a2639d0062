import { hostChecks } from "../support/judging/host.ts";
import { accountHeaderChecks } from "./suite.ts";

hostChecks("account-header", accountHeaderChecks);
