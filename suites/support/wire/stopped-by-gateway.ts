import { type Exchange, isHtml } from "./exchange.ts";

/** A gateway or a framework answers with these by itself, whatever the service would say (C-67, C-90). */
export const gatewayRefusals: readonly number[] = [404, 405, 406, 411, 413, 414, 415, 417, 429, 431];

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
