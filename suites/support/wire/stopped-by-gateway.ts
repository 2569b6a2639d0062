import { type Exchange, isHtml } from "./exchange.ts";

const statuses: readonly number[] = [400, 403];

/** A NUL, or a path that leads upwards: what firewalls look for. */
const suspicious = /%00|\0|\\u0000|\.\.(?:\/|%2f|\\|%5c|$)|(?:\/|%2f|\\|%5c)\.\./iu;

/**
 * Whether a gateway refused a request for a text in it that looks like an attack: a page of its own in place of the
 * service's error, which breaks no rule of the document (C-90).
 */
export function isStoppedByGateway(exchange: Exchange): boolean {
  const { request, response } = exchange;
  if (!statuses.includes(response.status) || !isHtml(exchange)) return false;
  return [request.url, request.body, ...request.headers.map(([, value]) => value)].some((text) =>
    suspicious.test(text),
  );
}
