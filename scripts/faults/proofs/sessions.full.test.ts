import { proveExactly } from "./prove-faults.ts";

proveExactly("sessions");
