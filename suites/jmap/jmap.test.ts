import { hostChecks } from "../support/host.ts";
import { jmapChecks } from "./checks.ts";

hostChecks("jmap", jmapChecks);
