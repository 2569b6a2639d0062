import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { startScriptedTarget } from "../../fixtures/test-servers/scripted-target.ts";
import { attempt, codeIn } from "../../suites/support/actors/authorization.ts";
import { totpCode, totpCounter, totpSettings } from "../../suites/support/actors/chromium/totp.ts";
import { authorizationRequest } from "../../suites/support/actors/oauth-client.ts";
import { browserConsent, openDriverRun } from "./driver-run.ts";
import { missingChromium } from "./missing-chromium.ts";

/** A server that notes what it is sent. */
async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ readonly url: string; readonly seen: string[] }> {
  const seen: string[] = [];
  const server = await startScriptedTarget((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    void answer(request, response);
  });
  onTestFinished(() => server.close());
  return { url: server.url, seen };
}

const html = (response: ServerResponse, body: string): void =>
  void response.writeHead(200, { "content-type": "text/html" }).end(body);

const redirect = (response: ServerResponse, location: string): void =>
  void response.writeHead(303, { location }).end();

const at = (url: string) => ({ authUrl: url, apiUrl: url, mcpUrl: url });

const missing = missingChromium();

describe.skipIf(missing)("the browser driver against scripted servers", () => {
  test("finds the target where the profile says, and shows the gate's header to nobody else", async () => {
    const seen = new Set<string>();
    const note = (who: string, { headers }: IncomingMessage): void => {
      seen.add(`${who} ${String(headers["x-gate"])}`);
    };
    const stranger = await serve((request, response) => {
      note("stranger", request);
      response.writeHead(302, { location: "https://cb.example.test/oauth/cb?code=c" }).end();
    });
    const gate = await serve((request, response) => {
      note("target", request);
      response.writeHead(302, { location: `${stranger.url}/next` }).end();
    });
    const url = gate.url.replace("127.0.0.1", "auth.staging.test");
    const { target } = openDriverRun(at(url), browserConsent, {
      more: { headers: { auth: { "X-Gate": "open" } }, resolve: { "auth.staging.test": "127.0.0.1" } },
    });
    const client = { client_id: "mailer", redirect_uris: ["https://cb.example.test/oauth/cb"] };
    const { end } = await attempt(target, authorizationRequest(target, client));
    expect(end.kind).toBe("redirect");
    expect([...seen]).toEqual(["target open", "stranger undefined"]);
  });

  test("ends with an interrupted run while the target does not answer", async () => {
    const interruption = new AbortController();
    const silent = await serve(() => interruption.abort());
    const patient = { ...browserConsent, timeout_seconds: 600 };
    const { target } = openDriverRun(at(silent.url), patient, { signal: interruption.signal });
    const client = { client_id: "mailer", redirect_uris: ["https://cb.example.test/cb"] };
    const waiting = attempt(target, authorizationRequest(target, client));
    await expect(waiting).rejects.toMatchObject({ code: "interrupted" });
  });
});

describe.skipIf(missing)("the browser driver before the redirect to the client", () => {
  test.for([
    { why: "a redirect", kind: "redirect", answer: (cb: string) => cb },
    { why: "a script", kind: "redirect", answer: (cb: string) => `<script>location = "${cb}"</script>` },
    {
      why: "a refresh",
      kind: "redirect",
      answer: (cb: string) => `<meta http-equiv=refresh content="0;url=${cb}">`,
    },
    {
      why: "a form that posts",
      kind: "answer",
      answer: (cb: string) =>
        `<form method=post action="${cb}"></form><script>document.forms[0].submit()</script>`,
    },
  ])("stops before $why arrives there, whatever else the page loads", async ({ answer, kind }) => {
    const client = await serve((_request, response) => html(response, "hello"));
    const callback = `${client.url}/cb?code=c`;
    // Another site, whose frames would have a process of their own.
    const frame = await serve((_request, response) => redirect(response, callback));
    const frames = [callback, frame.url.replace("127.0.0.1", "localhost")];
    const provider = await serve((_request, response) => {
      const way = answer(callback);
      if (way === callback) return redirect(response, callback);
      const others = frames.map((url) => `<iframe src="${url}"></iframe>`).join("");
      return html(response, `<img src="${client.url}/pixel">${others}${way}`);
    });
    const serviceHere = await serve((_request, response) =>
      html(
        response,
        `<a href="${provider.url}/go" target=_blank>window</a><a href="${provider.url}/go">go</a>`,
      ),
    );
    const steps = [{ click: { text: "window" } }, { click: { text: "go" } }];
    const { target } = openDriverRun(at(serviceHere.url), { ...browserConsent, sign_in: [], approve: steps });
    const request = authorizationRequest(target, {
      client_id: "mailer",
      redirect_uris: [`${client.url}/cb`],
    });
    const { end } = await attempt(target, request);
    expect(end.kind).toBe(kind);
    expect(codeIn(end)).toBe(kind === "redirect" ? "c" : undefined);
    expect(client.seen).toEqual([]);
  });
});

describe.skipIf(missing)("the browser driver with a second factor", () => {
  test("types the code of the moment, each once, on the page that asks for it", async () => {
    // Short periods, since a code is typed once.
    const secret = "otpauth://totp/alice?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=3";
    const settings = totpSettings(secret);
    const spent = new Set<string>();
    const server = await serve(async (request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://127.0.0.1");
      if (pathname === "/oauth/authorize")
        return html(
          response,
          `<form method=post action=/mfa><label>Password <input type=password name=p></label><button>Next</button></form>`,
        );
      const otp = new URLSearchParams(await text(request)).get("otp") ?? "";
      const now = totpCounter(settings, Date.now());
      const isRight =
        [now - 1, now].some((counter) => totpCode(settings, counter) === otp) && !spent.has(otp);
      spent.add(otp);
      if (isRight) return redirect(response, "https://cb.example.test/cb?code=c");
      return html(
        response,
        `<form method=post action=/mfa><input id=otp name=otp><button>Verify</button></form>`,
      );
    });
    process.env["DRIVERS_TOTP"] = secret;
    const { target } = openDriverRun(at(server.url), {
      ...browserConsent,
      totp: "env:DRIVERS_TOTP",
      sign_in: [
        { fill: { label: "Password" }, value: "{password}" },
        { click: { role: "button", name: "Next" } },
        { click: { role: "button", name: "Next" }, at: "/elsewhere" },
        { fill: { id: "otp" }, value: "{totp}", at: "/mfa" },
        { click: { role: "button", name: "Verify" }, at: `${server.url}/m*a` },
      ],
      approve: [],
    });
    const client = { client_id: "mailer", redirect_uris: ["https://cb.example.test/cb"] };
    for (const _ of [1, 2]) {
      const { end } = await attempt(target, authorizationRequest(target, client));
      expect(codeIn(end)).toBe("c");
    }
  });
});
