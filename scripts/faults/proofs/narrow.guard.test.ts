import { narrowFaults } from "../narrow-fault-list.ts";
import { proveNamed } from "./prove-faults.ts";

proveNamed(narrowFaults);
