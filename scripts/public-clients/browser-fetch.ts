const safelistedRequestHeaders = ["accept", "accept-language", "content-language"];
const safelistedResponseHeaders = [
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
];
const safelistedTypes = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)(?:;|$)/i;

/** Whatever the global one is replaced with. */
const networkFetch = fetch;

/**
 * `fetch` as a web page of this origin has it: with preflights, and with nothing of an answer that was not opened to the
 * origin.
 *
 * @see the Fetch standard, "CORS protocol"
 */
export function browserFetch(origin: string): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    // A browser sets its own, and pages may not.
    request.headers.delete("user-agent");
    const unsafe = [...request.headers].flatMap(([name, value]) => (isSafelisted(name, value) ? [] : [name]));
    if (unsafe.length > 0 || !["GET", "HEAD", "POST"].includes(request.method))
      await preflight(request, origin, unsafe);
    request.headers.set("origin", origin);
    const response = await networkFetch(request);
    requireOpenTo(origin, response, request.url);
    const exposed = [...listOf(response, "access-control-expose-headers"), ...safelistedResponseHeaders];
    const headers = [...response.headers].filter(([name]) => exposed.includes(name));
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  };
}

function isSafelisted(name: string, value: string): boolean {
  return safelistedRequestHeaders.includes(name) || (name === "content-type" && safelistedTypes.test(value));
}

async function preflight({ url, method }: Request, origin: string, names: readonly string[]): Promise<void> {
  const response = await networkFetch(url, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": names.toSorted().join(","),
    },
  });
  requireOpenTo(origin, response, url);
  if (!response.ok) throw new TypeError(`the preflight of ${method} ${url} was answered ${response.status}`);
  const methods = ["get", "head", "post", ...listOf(response, "access-control-allow-methods")];
  const headers = listOf(response, "access-control-allow-headers");
  const closed = names.filter((name) => !headers.includes(name));
  if (!methods.includes(method.toLowerCase()) || closed.length > 0)
    throw new TypeError(`${method} ${url} with ${closed.join(", ")} is not open to ${origin}`);
}

function requireOpenTo(origin: string, { headers }: Response, url: string): void {
  const allowed = headers.get("access-control-allow-origin");
  if (allowed !== origin && allowed !== "*") throw new TypeError(`${url} is not open to ${origin}`);
}

function listOf({ headers }: Response, name: string): string[] {
  const text = headers.get(name) ?? "";
  return text.split(",").map((item) => item.trim().toLowerCase());
}
