import { hostChecks } from "../support/host.ts";
import { resourceChecks } from "./checks.ts";

hostChecks("resource", resourceChecks);
