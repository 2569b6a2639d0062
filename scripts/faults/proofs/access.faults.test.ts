import { describedFaults } from "../fault-list.ts";
import { faultsOf, proveNamed } from "./prove-faults.ts";

proveNamed(faultsOf("access", describedFaults));
