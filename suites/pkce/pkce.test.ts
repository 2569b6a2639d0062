import { hostChecks } from "../support/judging/host.ts";
import { pkceChecks } from "./suite.ts";

hostChecks("pkce", pkceChecks);
