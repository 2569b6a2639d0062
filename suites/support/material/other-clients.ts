/** Clients that come to the target by another way than registering themselves. Document, "Authentication", OAuth 2.0 path 5. */
export const otherClients = [
  { client: "document", words: "a client with a URL as `client_id`", unlockedBy: "client_metadata" },
  { client: "operator", words: "a client that the operator registered", unlockedBy: "operator_client" },
] as const;
