import { hostChecks } from "../support/judging/host.ts";
import { jmapChecks } from "./suite.ts";

hostChecks("jmap", jmapChecks);
