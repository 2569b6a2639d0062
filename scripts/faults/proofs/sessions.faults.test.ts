import { proveNamed } from "./prove-faults.ts";

proveNamed("sessions");
