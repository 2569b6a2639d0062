import { proveFaults } from "./prove-faults.ts";

proveFaults(["pow", "sessions", "token-confusion"]);
