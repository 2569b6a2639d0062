import { resend } from "../curl.ts";
import { empty, type Html, html } from "../html-text.ts";
import type { RunExchange } from "../run-format.ts";
import { variableNames } from "../shell-text.ts";
import { splitUrl } from "../split-url.ts";
import { foreign, joined, when } from "./text.ts";

// Whole bodies are in run.json; a page has to open.
const mostBodyCharacters = 20_000;
const mostHeaderCharacters = 2000;

/** Both messages as they crossed the wire, and the command that sends the request again. */
export function exchangeView(exchange: RunExchange): Html {
  const { request, response, startedAt, durationMs } = exchange;
  const { origin, target } = splitUrl(request.url);
  const { node } = request;
  const place = node === undefined ? empty : html` at the node ${foreign(node)}`;
  return html`<p class="soft">${startedAt}, ${Math.round(durationMs)} ms, with ${foreign(origin)}${place}</p>
    ${when(
      exchange.isCut === true,
      () =>
        html`<p class="soft">
          It only prepared checks that passed: its first lines were kept, as without --evidence full.
        </p>`,
    )}
    <div class="pair">
      ${message("Request", `${request.method} ${target}`, request)}
      ${message("Response", statusWords(exchange), response)}
    </div>
    ${commandView(exchange)}`;
}

export function statusWords({ response }: RunExchange): string {
  return response.status === 0 ? "no answer" : String(response.status);
}

type Message = Pick<RunExchange["response"], "headers" | "body" | "cut">;

function message(title: string, first: string, { headers, body, cut }: Message): Html {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`)].map((line) =>
    start(line, mostHeaderCharacters),
  );
  const text = [...lines, ...(body === "" ? [] : ["", start(body, mostBodyCharacters)])].join("\n");
  return html`<div>
    <h5>${title}</h5>
    <pre tabindex="0">${foreign(text)}</pre>
    ${
      cut === undefined
        ? empty
        : html`<p class="soft">${cut.bytes} more bytes, which were not kept; SHA-256 ${cut.sha256}</p>`
    }
  </div>`;
}

/** No character is cut in half. */
export function start(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = text.slice(0, most).replace(/[\uD800-\uDBFF]$/u, "");
  return `${shown}… ${text.length - shown.length} more characters in run.json`;
}

function commandView(exchange: RunExchange): Html {
  const { request, isCut } = exchange;
  // What was cut has no command, whatever its variables would be called.
  const texts = isCut ? [] : [request.url, ...request.headers.flat(), request.body];
  const again = resend(exchange, variableNames(texts));
  if ("impossible" in again) return html`<p class="soft">No curl command: ${again.impossible}.</p>`;
  return html`${command(again.command.join("\n"))}${joined(
    again.notes.map((note) => html`<p class="soft">${foreign(note)}</p>`),
  )}`;
}

/** A command to be copied. */
export function command(text: string): Html {
  return html`<div class="command"><pre tabindex="0">${foreign(text)}</pre></div>`;
}
