import { proveNamed } from "./prove-faults.ts";

proveNamed("authorization");
