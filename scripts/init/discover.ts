import { expectMetadata, metadataDocument } from "../../suites/metadata/documents.ts";
import { requestChallenge, saltClaimAmong } from "../../suites/support/actors/agent.ts";
import { createBrowser } from "../../suites/support/actors/consent/browser.ts";
import { isPage } from "../../suites/support/actors/consent/responses.ts";
import { readPage } from "../../suites/support/actors/consent/html-page.ts";
import { describePage } from "../../suites/support/actors/consent/page-description.ts";
import {
  authorizationRequest,
  authorizationUrl,
  type Client,
} from "../../suites/support/actors/oauth-client.ts";
import { sharedClient } from "../../suites/support/material/clients.ts";
import { createSolver } from "../../suites/support/pow/solver.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import { addressFailure } from "../../suites/support/target/preflight.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { openTarget, type Target } from "../../suites/support/target/target.ts";
import { BlockedError, InconclusiveError, Violation } from "../../suites/support/verdict.ts";
import { type Exchange, header, isRedirect, jsonMembers } from "../../suites/support/wire/exchange.ts";

/** What could be found out, or why it could not. */
type Found<Value> =
  { readonly value: Value; readonly problem?: never } | { readonly problem: string; readonly value?: never };

/** What a target shows of itself without anybody signing in. */
export interface Discovery {
  /** Why an address does not answer as it should, in sentences. */
  readonly unreachable: readonly string[];
  readonly metadata: Found<{ readonly issuer: unknown; readonly takesClientDocuments: boolean }>;
  readonly challenge: Found<{ readonly difficultyBits: number; readonly saltClaim: string | undefined }>;
  readonly registration: Found<true>;
  /** The page that a person sees first. */
  readonly signIn: Found<{ readonly description: string; readonly hasForm: boolean }>;
  /** Limits that answers named, each as `name: value`. */
  readonly limits: readonly string[];
}

/** Looks at a target as a stranger. It registers one client, which stays. */
export async function discover(profile: Profile, signal: AbortSignal): Promise<Discovery> {
  // Nothing is solved, so that no process of it is started.
  const solver = createSolver();
  const run = openTarget(profile, solver, signal);
  const target = run.targetFor(createEvidence());
  try {
    const failures = await Promise.all(
      (["auth_url", "api_url", "mcp_url"] as const).map((key) => addressFailure(target, key)),
    );
    const metadata = await found(async () => {
      const members = expectMetadata(await metadataDocument(target));
      const { issuer, client_id_metadata_document_supported: documents } = members;
      return { issuer, takesClientDocuments: documents === true };
    });
    const challenge = await found(async () => {
      const { difficultyBits, claims } = await requestChallenge(target);
      return { difficultyBits, saltClaim: saltClaimAmong(claims) };
    });
    const client = await found(() => sharedClient(target, "public"));
    const signIn =
      client.value === undefined
        ? { problem: "no client to send a person with" }
        : await found(() => firstPage(target, client.value));
    return {
      unreachable: failures.filter((failure) => failure !== undefined),
      metadata,
      challenge,
      registration: client.value === undefined ? { problem: client.problem } : { value: true },
      signIn,
      limits: limitsIn(run.http.exchanges),
    };
  } finally {
    await run.close();
    await solver.close();
  }
}

async function found<Value>(look: () => Promise<Value>): Promise<Found<Value>> {
  try {
    return { value: await look() };
  } catch (error) {
    const isExpected =
      error instanceof InconclusiveError || error instanceof BlockedError || error instanceof Violation;
    if (!isExpected) throw error;
    return { problem: error.message };
  }
}

const maxHops = 10;

async function firstPage(target: Target, client: Client): Promise<{ description: string; hasForm: boolean }> {
  const browser = createBrowser(target.profile, { name: "nobody" });
  let url = authorizationUrl(target, authorizationRequest(target, client).parameters);
  let from: string | undefined;
  for (let hop = 0; hop < maxHops; hop += 1) {
    const exchange = await browser.go(target, { url, hasPassword: false, ...(from && { from }) });
    const next = isRedirect(exchange) ? URL.parse(header(exchange, "location") ?? "", url)?.href : undefined;
    if (next === undefined) return pageFacts(exchange, url);
    if (client.redirect_uris.some((uri) => next.startsWith(uri)))
      throw new InconclusiveError("consent-skipped", "the browser was led to the client at once", {
        exchange,
      });
    [from, url] = [url, next];
  }
  throw new InconclusiveError("consent-stuck", `no page came after ${maxHops} redirects`);
}

function pageFacts(exchange: Exchange, url: string): { description: string; hasForm: boolean } {
  if (!isPage(exchange)) {
    const { error } = jsonMembers(exchange);
    const what = `${exchange.response.status} ${typeof error === "string" ? error : ""}`.trim();
    throw new InconclusiveError("consent-stuck", `no page came, but ${what}`, { exchange });
  }
  const page = readPage(exchange.response.body, { isXhtml: false });
  return { description: describePage(page, url), hasForm: page.forms.length + page.links.length > 0 };
}

function limitsIn(exchanges: readonly Exchange[]): string[] {
  const told = exchanges.flatMap(({ request, response }) =>
    response.headers
      .filter(([name]) => /^(?:x-)?ratelimit(?:-policy|-limit)?$|^retry-after$/iu.test(name))
      .map(([name, value]) => `${name}: ${value} at ${new URL(request.url).pathname}`),
  );
  const refused = exchanges.filter(({ response }) => response.status === 429).length;
  return [...new Set(told), ...(refused > 0 ? [`${refused} of the first requests got 429`] : [])];
}
