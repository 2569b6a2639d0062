import { hostChecks } from "../support/host.ts";
import { pkceChecks } from "./checks.ts";

hostChecks("pkce", pkceChecks);
