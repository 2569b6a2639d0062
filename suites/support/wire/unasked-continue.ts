import type { Duplex } from "node:stream";

const interim = "HTTP/1.1 100";
const longest = 8_192;

/**
 * Keeps `100 Continue` from undici, which takes one that it did not ask for as the end of the connection. A client must be
 * able to read it at any time (RFC 9110 §15.2), and some servers and gateways send it to every request with a body. It is
 * looked for only where an answer begins: in what is read first after something was written.
 */
export function withoutUnaskedContinue<Connection extends Duplex>(connection: Connection): Connection {
  const read = connection.read.bind(connection);
  const write = connection.write.bind(connection) as (...sent: unknown[]) => boolean;
  let begun: Buffer | undefined;
  connection.write = (...sent: unknown[]) => {
    begun ??= Buffer.alloc(0);
    return write(...sent);
  };
  connection.read = (size?: number) => {
    for (;;) {
      const chunk: unknown = read(size);
      if (begun === undefined || !Buffer.isBuffer(chunk)) return chunk;
      begun = withoutInterim(Buffer.concat([begun, chunk]));
      if (begun.length > longest || !mayBecomeInterim(begun)) {
        const rest = begun;
        begun = undefined;
        return rest;
      }
    }
  };
  return connection;
}

function withoutInterim(received: Buffer): Buffer {
  let rest = received;
  while (rest.toString("latin1", 0, interim.length) === interim) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

function mayBecomeInterim(received: Buffer): boolean {
  const start = received.toString("latin1", 0, interim.length);
  return interim.startsWith(start) || start === interim;
}
