import { expect, test } from "vitest";
import { expectSignIn } from "./authorize.ts";
import { exampleExchange } from "./example-exchange.ts";

const request = { method: "GET", url: "https://auth.example/oauth/authorize" };
const callback = "https://cb.example.test/oauth/cb";

function judge(status: number, location?: string) {
  const headers = location === undefined ? [] : [["Location", location] as const];
  return () =>
    expectSignIn(exampleExchange(request, { status, headers, body: "<form>" }), {
      redirect_uris: [callback],
    });
}

test.for([
  { what: "a page", status: 200 },
  { what: "a redirect to the same origin", status: 302, location: "/sign-in?request=1" },
  { what: "303 to an identity provider", status: 303, location: "https://idp.example/authorize?code=1" },
  { what: "307", status: 307, location: "https://auth.example/login" },
  {
    what: "temporarily_unavailable",
    status: 302,
    location: `${callback}?error=temporarily_unavailable&state=s`,
  },
])("$what is accepted", ({ status, location }) => {
  judge(status, location)();
});

test.for([
  { what: "a code", status: 302, location: `${callback}?code=c&state=s` },
  { what: "a code with an error", status: 302, location: `${callback}?error=temporarily_unavailable&code=c` },
  { what: "another error to the client", status: 302, location: `${callback}?error=server_error` },
  { what: "a redirect to the client without parameters", status: 302, location: callback },
  { what: "a redirect without Location", status: 302, location: undefined },
  { what: "204", status: 204, location: undefined },
])("$what is a violation", ({ status, location }) => {
  expect(judge(status, location)).toThrow(/a page or a redirect to sign-in/u);
});
