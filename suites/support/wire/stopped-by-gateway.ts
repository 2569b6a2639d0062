import { type Exchange, isHtml } from "./exchange.ts";

const statuses: readonly number[] = [400, 403];

/**
 * Whether a gateway refused a request for a NUL character that it holds: a page of its own in place of the service's error,
 * which breaks no rule of the document (C-90).
 */
export function isStoppedForNul(exchange: Exchange): boolean {
  const { request, response } = exchange;
  if (!statuses.includes(response.status) || !isHtml(exchange)) return false;
  return /%00|\0|\\u0000/u.test(`${request.url} ${request.body}`);
}
