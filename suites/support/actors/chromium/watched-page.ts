import type { BrowserContext, CDPSession, Page, Request } from "playwright-core";
import type { Target } from "../../target/target.ts";
import { isOwnOrigin } from "../../target/origins.ts";
import { InconclusiveError } from "../../verdict.ts";
import { refuseGatewayAnswer } from "../../wire/disturbance.ts";
import { type Exchange, type HeaderLines, header, isRedirect } from "../../wire/exchange.ts";
import type { ConsentRequest } from "../consent/consent-driver.ts";
import { carries, leaksCode } from "../consent/responses.ts";
import type { SignInOrigins } from "../consent/sign-in-origins.ts";
import { carriesText } from "./carried-text.ts";
import { createHeldRequests, linesOf } from "./held-requests.ts";
import type { Paused } from "./paused-request.ts";

/** Where the browser was led to the client. */
export interface Departure {
  readonly location: string;
  /** The answer that led there; undefined when the address was opened first. */
  readonly exchange: Exchange | undefined;
  /** How, when a client would not get an authorization response so. */
  readonly objection?: string;
}

/** What is seen of a page's requests, each of which is held until it is known where it goes. */
export interface WatchedPage {
  /** The browser was led to the client and was stopped there. */
  readonly departure: Departure | undefined;
  /** The last answer that was to be shown. */
  readonly last: Exchange | undefined;
  /** A document is under way. */
  readonly isLoading: boolean;
  /** @throws {InconclusiveError} why there is no use in going on */
  requireSound(): void;
}

interface Watch extends Pick<ConsentRequest, "leaves"> {
  readonly origins: SignInOrigins;
  /** Sent to sign-in origins alone. */
  readonly password: string | undefined;
}

const watchedPages = new WeakSet<Page>();

/** Lets nobody but watched pages send: a window of its own would send its first requests before anybody watches it. */
export async function allowWatchedPages(context: BrowserContext): Promise<void> {
  await context.route("**/*", (route) => (isWatched(route.request()) ? route.fallback() : route.abort()));
}

function isWatched(request: Request): boolean {
  try {
    return watchedPages.has(request.frame().page());
  } catch {
    // A navigation of a window that is not there yet has no frame.
    return false;
  }
}

/**
 * Holds every request of a page: records its documents as evidence, sends nothing to the client's `redirect_uri`, and the
 * password to no stranger. Redirects are held too, which Playwright's own routes do not see.
 */
export async function watchPage(target: Target, page: Page, watch: Watch): Promise<WatchedPage> {
  watchedPages.add(page);
  const session: CDPSession = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const held = await createHeldRequests(target, session);
  const startedAt = new Map<string, { readonly time: string; readonly ms: number }>();
  let [departure, last, problem]: [Departure?, Exchange?, Error?] = [];
  let documents = 0;
  let awaitsCommit = false;
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) awaitsCommit = false;
  });

  /** @returns undefined when the request may go on */
  function objectionTo(event: Paused): "departed" | "stopped" | undefined {
    const { request, resourceType, frameId } = event;
    const from = last?.request.url ?? request.url;
    const isDocument = resourceType === "Document" && frameId === frameTree.frame.id;
    if (watch.leaves(request.url) || (isDocument && leaksCode(target, request.url, from))) {
      if (isDocument) departure ??= departureTo(request, last);
      return "departed";
    }
    if (isDocument) watch.origins.learn({ from, url: request.url });
    const { password } = watch;
    if (password !== undefined && carriesText([request.url, request.postData ?? ""], password)) {
      watch.origins.require(request.url);
      watch.origins.note(target, request.url);
    }
    return undefined;
  }

  async function onRequest(event: Paused): Promise<void> {
    const { requestId, frameId, resourceType } = event;
    if (objectionTo(event) !== undefined) return held.abort(requestId);
    if (resourceType === "Document" && frameId === frameTree.frame.id) {
      documents += 1;
      startedAt.set(requestId, { time: new Date().toISOString(), ms: performance.now() });
    }
    return held.send(event);
  }

  async function onAnswer(event: Paused): Promise<void> {
    const { requestId, frameId, request, responseErrorReason } = event;
    if (frameId !== frameTree.frame.id) return held.letGo(requestId);
    documents -= 1;
    const begun = startedAt.get(requestId) ?? { time: new Date().toISOString(), ms: performance.now() };
    const answered = (event.responseHeaders ?? []).map(({ name, value }) => [name, value] as const);
    const isMoved = [301, 302, 303, 307, 308].includes(event.responseStatusCode ?? 0);
    const exchange = target.record({
      startedAt: begun.time,
      durationMs: performance.now() - begun.ms,
      request: {
        method: request.method,
        url: request.url,
        headers: linesOf(request.headers).map(withoutCookieValues),
        body: request.postData ?? "",
      },
      response: {
        status: event.responseStatusCode ?? 0,
        headers: [...answered, ...(await held.cookiesSetBy(event))],
        // The browser reads no body of a redirect.
        body: isMoved || responseErrorReason !== undefined ? "" : await held.bodyOf(requestId),
      },
    });
    if (responseErrorReason !== undefined)
      throw new InconclusiveError(
        "target-unreachable",
        `the browser got no answer of ${request.url.split("?", 1)[0]}: ${responseErrorReason}`,
        { exchange },
      );
    last = exchange;
    if (isOwnOrigin(target.profile, request.url))
      refuseGatewayAnswer(exchange, `${request.method} ${request.url.split("?", 1)[0]} in the browser`);
    const location = isRedirect(exchange) ? (header(exchange, "location") ?? "") : undefined;
    if (location !== undefined && (watch.leaves(location) || leaksCode(target, location, request.url))) {
      departure ??= { location, exchange };
      return held.abort(requestId);
    }
    awaitsCommit = location === undefined && ![204, 205].includes(exchange.response.status);
    return held.letGo(requestId);
  }

  session.on("Fetch.requestPaused", (event) => {
    const isAnswer = event.responseStatusCode !== undefined || event.responseErrorReason !== undefined;
    (isAnswer ? onAnswer(event) : onRequest(event)).catch(async (error: unknown) => {
      if (page.isClosed()) return;
      problem ??= error instanceof Error ? error : new Error(String(error));
      // The page may close meanwhile, which ends the request too.
      await held.abort(event.requestId).catch(() => {});
    });
  });
  await session.send("Fetch.enable", {
    patterns: [
      { urlPattern: "*", requestStage: "Request" },
      { urlPattern: "*", resourceType: "Document", requestStage: "Response" },
    ],
  });

  return {
    get departure() {
      return departure;
    },
    get last() {
      return last;
    },
    get isLoading() {
      return documents > 0 || awaitsCommit;
    },
    requireSound() {
      if (problem !== undefined) throw problem;
    },
  };
}

/** A navigation to the client by a link, a form, a script or a refresh. */
function departureTo({ url, method }: Paused["request"], exchange: Exchange | undefined): Departure {
  const objection =
    method === "GET"
      ? carries("code", url) || carries("error", url)
        ? undefined
        : "a way to the client's redirect_uri without a response"
      : "a form that posts to the client's redirect_uri";
  return { location: url, exchange, ...(objection !== undefined && { objection }) };
}

/** A script may have set them, so that no mask would know them. */
function withoutCookieValues([name, value]: HeaderLines[number]): HeaderLines[number] {
  return [name, name.toLowerCase() === "cookie" ? value.replaceAll(/=[^;]*/gu, "=…") : value];
}
