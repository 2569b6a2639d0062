import { proveNamed } from "./prove-faults.ts";

proveNamed("access");
