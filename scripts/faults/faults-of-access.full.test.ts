import { proveFaults } from "./prove-faults.ts";

proveFaults(["bearer", "account-header", "agents", "jmap"]);
