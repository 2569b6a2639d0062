import { proveFaults } from "./prove-faults.ts";

proveFaults(["pow"]);
