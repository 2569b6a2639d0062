/** Clients that did not register themselves. Document, "Authentication", OAuth 2.0 path 5. */
export const otherClients = [
  { client: "document", words: "a metadata-document client", unlockedBy: "client_metadata" },
  { client: "operator", words: "an operator-registered client", unlockedBy: "operator_client" },
] as const;
