import { proveNamed } from "./prove-faults.ts";

proveNamed("proofs");
