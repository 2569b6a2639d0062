import { createHash } from "node:crypto";
import { assetText } from "../asset-text.ts";
import type { CertificateStatement, Envelope } from "../certificate-format.ts";
import { empty, escapeHtml, html, type Html } from "../html-text.ts";
import { provedSentences, unprovedSentences } from "./sentences.ts";

const pageStyle = assetText("base.css") + assetText("certificate.css");
const pageScript = assetText("certificate.js");
const certificateStart = '<script type="application/json" id="certificate">';
const certificateEnd = "</script>";

/**
 * What a vendor publishes: one file with the certificate in it, which verifies itself. The same certificate always gives the
 * same bytes.
 *
 * @param statement - of the envelope
 */
export function renderCertificatePage(
  envelope: Envelope,
  statement: CertificateStatement,
  keyId: string,
): string {
  const [subject] = statement.subject;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}" />
        <title>Conformance certificate of ${subject?.name ?? ""}</title>
        ${{ markup: `<style>${pageStyle}</style>` }}
      </head>
      <body>
        <main>
          <h1>Conformance certificate of ${value("span", "subject.0.name", subject?.name ?? "")}</h1>
          <p id="verdict" class="verdict unknown" role="status">
            <span id="sentence"
              >Not verified yet. Without scripts, this page verifies nothing: use the command below.</span
            >
          </p>
          ${facts(statement, keyId)} ${sentences(statement)} ${notCertified(statement)} ${howToVerify(keyId)}
          <section>
            <details>
              <summary>The signed statement</summary>
              <pre id="statement">${JSON.stringify(statement, undefined, 2)}</pre>
            </details>
          </section>
        </main>
        ${{ markup: certificateStart + embeddable(envelope) + certificateEnd }}
        ${{ markup: `<script type="module">${pageScript}</script>` }}
      </body>
    </html> `.markup;
}

/** The text of the certificate in a page; undefined where there is none, or more than one. */
export function certificateInPage(page: string): string | undefined {
  const [, rest, ...others] = page.split(certificateStart);
  return others.length > 0 ? undefined : rest?.split(certificateEnd, 1)[0];
}

function embeddable(envelope: Envelope): string {
  return JSON.stringify(envelope, undefined, 2).replaceAll("<", String.raw`\u003c`);
}

const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src ${hashOf(pageScript)}`,
  `style-src ${hashOf(pageStyle)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Each names its place in the statement, so that the page can hold it against what was signed. */
function facts({ predicate }: CertificateStatement, keyId: string): Html {
  const { target, counts, coverage, suite, run } = predicate;
  const { issuer, metadataSha256, jwkThumbprints } = target.fingerprint;
  return html`<dl class="facts">
    ${fact("Authorization server", "predicate.target.authUrl", target.authUrl)}
    ${fact("API", "predicate.target.apiUrl", target.apiUrl)}
    ${fact("MCP", "predicate.target.mcpUrl", target.mcpUrl)}
    ${fact("Certified at", "predicate.certifiedAt", predicate.certifiedAt)}
    ${fact("Run started at", "predicate.run.startedAt", run.startedAt)}
    ${fact("Checks passed", "predicate.counts.pass", counts.pass)}
    ${fact("Passed with a warning", "predicate.counts.warn", counts.warn)}
    ${fact("Observed, where the document is silent", "predicate.counts.observed", counts.observed)}
    ${fact("Requirements decided", "predicate.coverage.decided", coverage.decided)}
    ${fact("Requirements of the document", "predicate.coverage.requirements", coverage.requirements)}
    ${fact("Suite version", "predicate.suite.version", suite.version)}
    ${fact("Issuer", "predicate.target.fingerprint.issuer", issuer)}
    ${fact("SHA-256 of its metadata", "predicate.target.fingerprint.metadataSha256", metadataSha256)}
    ${fact("Its signing keys", "predicate.target.fingerprint.jwkThumbprints", jwkThumbprints?.join(", "))}
    ${fact("Signed with the key", "keyid", keyId)}
  </dl>`;
}

function fact(label: string, path: string, shown: string | number | undefined): Html {
  if (shown === undefined) return empty;
  return { markup: `<dt>${escapeHtml(label)}</dt>${value("dd", path, shown).markup}` };
}

/** Without white space around the value: the page compares it. */
function value(tag: "dd" | "span", path: string, shown: string | number): Html {
  return { markup: `<${tag} data-path="${path}">${escapeHtml(String(shown))}</${tag}>` };
}

function sentences(statement: CertificateStatement): Html {
  const list = (items: readonly string[]): Html[] => items.map((one) => html`<li>${one}</li> `);
  return html`<section>
      <h2>What this proves</h2>
      <ul>
        ${list(provedSentences(statement))}
      </ul>
    </section>
    <section>
      <h2>What it does not prove</h2>
      <ul>
        ${list(unprovedSentences(statement))}
      </ul>
    </section> `;
}

function notCertified({ predicate }: CertificateStatement): Html {
  const { leftOut, requirements } = predicate.notCertified;
  if (leftOut.length === 0 && requirements.length === 0) return empty;
  return html`<section>
    <h2>Not certified</h2>
    <ul>
      ${leftOut.map(({ needs, checks }) => html`<li>${checks.length} checks that need ${needs}</li> `)}
      ${requirements.map(({ id, reason }) => html`<li>${id}: ${reason}</li> `)}
    </ul>
  </section> `;
}

function howToVerify(keyId: string): Html {
  return html`<section>
    <h2>Verify it yourself</h2>
    <p>
      A page cannot vouch for itself: its script came from the same place. With your own copy of mailproof,
      and the key id from a place that you trust, this works offline and finds every changed byte:
    </p>
    <pre>npx mailproof verify certificate.html --key ${keyId}</pre>
    <p>With access to the service, try a sample that nobody could foresee:</p>
    <pre>npx mailproof verify certificate.html --key ${keyId} --rerun 5% --target profile.json</pre>
  </section> `;
}
