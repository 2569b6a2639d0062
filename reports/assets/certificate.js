// The page of a certificate. Verifies the signature with the key that the certificate names, and holds each fact that the
// page shows against what was signed.

/** @typedef {{ payloadType: string, payload: string, signatures: { keyid: string, sig: string }[] }} Envelope */
/** @typedef {{ predicate: { certifier: { crv: string, kty: string, x: string } } }} Statement */

const type = "application/vnd.in-toto+json";
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

const [tone, sentence] = await verdict();
element("verdict").className = `verdict ${tone}`;
element("sentence").textContent = sentence;

/** @returns {Promise<[tone: "good" | "bad" | "unknown", sentence: string]>} */
async function verdict() {
  if (!isSecureContext)
    return [
      "unknown",
      "Not verified: browsers verify nothing on pages that came over plain http. Use the command below.",
    ];
  try {
    const { payloadType, payload, signatures } = /** @type {Envelope} */ (
      JSON.parse(element("certificate").textContent ?? "")
    );
    const [signature, ...others] = signatures;
    const body = bytesOf(payload);
    const statement = /** @type {Statement} */ (
      JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
    );
    const { kty, crv, x } = statement.predicate.certifier;
    const keyId = await keyIdOf({ crv, kty, x });
    const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
    const isValid =
      payloadType === type &&
      others.length === 0 &&
      signature?.keyid === keyId &&
      (await crypto.subtle.verify("Ed25519", key, bytesOf(signature.sig), signedBytes(body)));
    if (!isValid) return ["bad", "Not valid: the signature does not fit what is in this page."];
    const changed = correctFacts(statement, keyId);
    return changed.length === 0
      ? [
          "good",
          "The signature is valid: nothing in this certificate was changed since the owner of the key signed it.",
        ]
      : [
          "bad",
          `This page showed something else than its certificate says, corrected below: ${changed.join(", ")}.`,
        ];
  } catch (error) {
    return error instanceof DOMException && error.name === "NotSupportedError"
      ? ["unknown", "Not verified: this browser has no Ed25519. Use the command below."]
      : ["bad", "Not valid: the certificate in this page cannot be read."];
  }
}

/**
 * What a DSSE signature covers.
 *
 * @param {Uint8Array} body
 */
function signedBytes(body) {
  const head = new TextEncoder().encode(`DSSEv1 ${type.length} ${type} ${body.length} `);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return signed;
}

/**
 * RFC 7638.
 *
 * @param {{ crv: string, kty: string, x: string }} key - members in this order
 */
async function keyIdOf(key) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(key)));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Has the page show what was signed.
 *
 * @param {unknown} statement
 * @param {string} keyId
 * @returns {string[]} labels of what it showed otherwise
 */
function correctFacts(statement, keyId) {
  element("statement").textContent = JSON.stringify(statement, undefined, 2);
  /** @type {NodeListOf<HTMLElement>} */
  const facts = document.querySelectorAll("[data-path]");
  return [...facts].flatMap((fact) => {
    const path = fact.dataset["path"] ?? "";
    const text = path === "keyid" ? keyId : shown(valueAt(statement, path));
    if (fact.textContent === text) return [];
    fact.textContent = text;
    fact.classList.add("changed");
    return [fact.previousElementSibling?.textContent ?? "Heading"];
  });
}

/**
 * @param {unknown} value
 * @param {string} path - `predicate.counts.pass`
 * @returns {unknown}
 */
function valueAt(value, path) {
  return path
    .split(".")
    .reduce(
      (object, name) =>
        object instanceof Object ? /** @type {unknown} */ (Reflect.get(object, name)) : undefined,
      value,
    );
}

/**
 * Spelled as the page was made.
 *
 * @param {unknown} value
 */
function shown(value) {
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  return text.replaceAll(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** @param {string} base64 - in either alphabet */
function bytesOf(base64) {
  const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}
