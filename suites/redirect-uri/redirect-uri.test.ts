import { hostChecks } from "../support/judging/host.ts";
import { redirectUriChecks } from "./suite.ts";

hostChecks("redirect-uri", redirectUriChecks);
