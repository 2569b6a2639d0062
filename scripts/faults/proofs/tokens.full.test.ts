import { proveExactly } from "./prove-faults.ts";

proveExactly("tokens");
