import { proveFaults } from "./prove-faults.ts";

proveFaults(["token", "code", "combinations", "refresh", "revocation", "scope"]);
