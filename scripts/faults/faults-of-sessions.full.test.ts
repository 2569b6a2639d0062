import { proveFaults } from "./prove-faults.ts";

proveFaults(["sessions", "token-confusion"]);
