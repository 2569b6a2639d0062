import { hostChecks } from "../support/host.ts";
import { redirectUriChecks } from "./checks.ts";

hostChecks("redirect-uri", redirectUriChecks);
