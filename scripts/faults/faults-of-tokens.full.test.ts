import { proveFaults } from "./prove-faults.ts";

proveFaults(["token", "code", "refresh", "revocation", "scope"]);
