import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";

const { privateKey } = generateKeyPairSync("ed25519");
/** About the size of a challenge without its signature. */
const signedBytes = 340;

/** The minimum cost of a response with an Ed25519 signature in Node. */
const server = createServer((_request, response) => {
  const signature = sign(null, Buffer.alloc(signedBytes, "a"), privateKey).toString("base64url");
  response.setHeader("Authorization", `Bearer ${signature}`);
  response.setHeader("Content-Type", "application/json");
  response.end("{}");
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.stdin.once("end", () => process.exit(0)).resume();
