import { proveFaults } from "./prove-faults.ts";

proveFaults([
  "metadata",
  "registration",
  "client-metadata",
  "authorize",
  "pkce",
  "redirect-uri",
  "resource",
  "errors",
]);
