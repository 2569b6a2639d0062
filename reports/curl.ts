import { isPrintable } from "./printable.ts";
import type { RunExchange } from "./run-format.ts";
import { fingerprintsIn, printfCommand, shellWord, type VariableNames } from "./shell-text.ts";
import { splitUrl } from "./split-url.ts";

type Request = RunExchange["request"];

/** How to send a request again: a command for a POSIX shell, or why there is none. */
export type Resend =
  | {
      /** To be pasted as they are, joined by newlines. */
      readonly command: readonly string[];
      /** What to prepare before it is sent, a line each. */
      readonly notes: readonly string[];
    }
  | { readonly impossible: string };

// A longer command does not help in a report.
const longestCommand = 4000;
const longestInlineBody = 2000;
// Some versions of curl send `Expect: 100-continue` with a body of this size.
const expectFromCharacters = 1000;

/** Lets curl send what was recorded and nothing else: the same method, request target, header lines and body. */
export function resend({ number, isCut, request }: RunExchange, names: VariableNames): Resend {
  const reason = isCut ? "only its first line was kept; --evidence full keeps all" : whyImpossible(request);
  if (reason !== undefined) return { impossible: reason };
  const { feed, options, notes } = bodyOf(number, request, names);
  const words = [
    `curl -i --path-as-is --globoff ${methodOptions(request)} ${targetWords(request, names)}`,
    // All connections go to the node, whatever address the request names.
    ...(request.node === undefined ? [] : [`--connect-to ${shellWord(`::${request.node}`, names)}`]),
    ...headerOptions(request, names, options.length > 0),
    ...options,
  ];
  const { length } = words.join(" ");
  if (length > longestCommand) return { impossible: `the command would be ${length} characters long` };
  const lines = words.map(
    (word, at) => `${at === 0 ? "" : "  "}${word}${at < words.length - 1 ? " \\" : ""}`,
  );
  return { command: [...feed, ...lines], notes: [...notes, ...variableNotes(request, names)] };
}

function whyImpossible(request: Request): string | undefined {
  const { method, url, headers, body } = request;
  if (request.cut !== undefined) return "the report holds only the beginning of the body";
  if (request.isChunked) return "the body went out in chunks whose borders curl cannot set";
  if (body.includes("\u{FFFD}") || !body.isWellFormed()) return "the body is not UTF-8 text";
  // Header lines went out in Latin-1, and a terminal writes UTF-8.
  if (![method, url, ...headers.flat()].every((text) => /^[ -~]*$/u.test(text)))
    return "the request line or a header line holds characters that curl cannot send unchanged";
  if (![url, ...headers.flat()].every(isPrintable))
    return "the request line or a header line holds text that a CI server would take for a command";
  if (headers.filter(([name]) => name.toLowerCase() === "host").length > 1)
    return "curl sends only one Host line";
  return method === "HEAD" && body !== "" ? "curl sends no body with HEAD" : undefined;
}

function methodOptions({ method, url }: Request): string {
  // curl would choose HTTP/2 where the server offers it; the suite speaks HTTP/1.1.
  const version = url.startsWith("https:") ? "--http1.1 " : "";
  if (method === "HEAD") return `${version}--head`;
  return `${version}-X ${/^[\w-]+$/u.test(method) ? method : shellWord(method, new Map())}`;
}

// What curl leaves as it is. It would cut off a fragment, escape a space, and write %2f as %2F.
const unchangedUrl = /^https?:\/\/[\w.:[\]-]+(?:\/(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*)?$/u;

function targetWords({ url }: Request, names: VariableNames): string {
  const unmasked = fingerprintsIn(url).reduce((text, mark) => text.replaceAll(mark, "x"), url);
  if (unchangedUrl.test(unmasked)) return shellWord(url, names);
  const { origin, target } = splitUrl(url);
  return `--request-target ${shellWord(target, names)} ${shellWord(origin, names)}`;
}

/** The recorded lines, and one that takes away what curl would add. */
function headerOptions({ headers, body }: Request, names: VariableNames, hasData: boolean): string[] {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const addedByCurl = [
    "Accept",
    "User-Agent",
    ...(hasData ? ["Content-Type"] : []),
    ...(body.length >= expectFromCharacters ? ["Expect"] : []),
  ].filter((name) => !given.has(name.toLowerCase()));
  return [
    // curl removes a line with an empty value unless it ends in a semicolon.
    ...headers.map(([name, value]) => (value.trim() === "" ? `${name};` : `${name}: ${value}`)),
    ...addedByCurl.map((name) => `${name}:`),
  ].map((line) => `-H ${shellWord(line, names)}`);
}

interface BodyParts {
  /** A command whose output is the body. */
  readonly feed: readonly string[];
  readonly options: readonly string[];
  readonly notes: readonly string[];
}

// They announce a body even when there is none.
const methodsWithBody = new Set(["POST", "PUT", "PATCH", "QUERY"]);

function bodyOf(number: number, { method, body }: Request, names: VariableNames): BodyParts {
  const none = { feed: [], options: [], notes: [] };
  if (body === "") return methodsWithBody.has(method) ? { ...none, options: ["--data-raw ''"] } : none;
  if (body.length > longestInlineBody) {
    const file = `exchange-${number}-body`;
    const secrets = fingerprintsIn(body).length === 0 ? "" : " and put its secrets back";
    return {
      ...none,
      options: [`--data-binary @${file}`],
      notes: [
        `first write the body of ${body.length} characters to a file${secrets}:`,
        `jq -j '.exchanges[] | select(.number == ${number}).request.body' run.json > ${file}`,
      ],
    };
  }
  if (isPrintable(body)) return { ...none, options: [`--data-raw ${shellWord(body, names)}`] };
  return { ...none, feed: [`${printfCommand(body, names)} |`], options: ["--data-binary @-"] };
}

function variableNotes({ url, headers, body }: Request, names: VariableNames): string[] {
  const shown = body.length > longestInlineBody ? "" : body;
  return fingerprintsIn([url, ...headers.flat(), shown].join("\n")).map(
    (mark) => `$${names.get(mark) ?? ""} stands for ${mark}`,
  );
}
