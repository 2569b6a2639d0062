/**
 * Runs in the page: verifies the signature with the key that the certificate names, and holds each fact that the page shows
 * against what was signed.
 */
export const pageScript = String.raw`(async () => {
  const banner = document.getElementById("verdict");
  const show = (tone, text) => { banner.className = "verdict " + tone; banner.textContent = text; };
  const bytesOf = (base64) =>
    Uint8Array.from(atob(base64.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
  const encode = (text) => new TextEncoder().encode(text);
  const idOf = async ({ crv, kty, x }) => {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encode(JSON.stringify({ crv, kty, x }))));
    return btoa(String.fromCharCode(...digest)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const shown = (value) => (Array.isArray(value) ? value.join(", ") : String(value)).replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu,
    (character) => "\\u{" + character.codePointAt(0).toString(16) + "}");
  if (!globalThis.crypto || !crypto.subtle)
    return show("unknown", "Not verified: browsers verify nothing on pages that came over plain http. Use the command below.");
  let envelope, body, key;
  try {
    envelope = JSON.parse(document.getElementById("certificate").textContent);
    body = bytesOf(envelope.payload);
    const { kty, crv, x } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)).predicate.certifier;
    key = { id: await idOf({ kty, crv, x }) };
    key.imported = await crypto.subtle.importKey("jwk", { kty, crv, x }, { name: "Ed25519" }, false, ["verify"]);
  } catch (error) {
    return error.name === "NotSupportedError"
      ? show("unknown", "Not verified: this browser has no Ed25519. Use the command below.")
      : show("bad", "Not valid: the certificate in this page cannot be read.");
  }
  try {
    const { payloadType, signatures } = envelope;
    const head = encode("DSSEv1 " + encode(payloadType).length + " " + payloadType + " " + body.length + " ");
    const signed = new Uint8Array(head.length + body.length);
    signed.set(head);
    signed.set(body, head.length);
    const isSigned = signatures.length === 1 && signatures[0].keyid === key.id
      && payloadType === "application/vnd.in-toto+json"
      && await crypto.subtle.verify("Ed25519", key.imported, bytesOf(signatures[0].sig), signed);
    if (!isSigned) return show("bad", "Not valid: the signature does not fit what is in this page.");
    const statement = JSON.parse(new TextDecoder().decode(body));
    const changed = [];
    for (const element of document.querySelectorAll("[data-path]")) {
      const value = element.dataset.path.split(".").reduce((object, name) => object?.[name], statement);
      const text = element.dataset.path === "keyid" ? key.id : shown(value);
      if (element.textContent === text) continue;
      element.textContent = text;
      element.classList.add("changed");
      changed.push(element.previousElementSibling?.textContent ?? "Heading");
    }
    document.getElementById("statement").textContent = JSON.stringify(statement, undefined, 2);
    if (changed.length > 0)
      return show("bad", "This page showed something else than its certificate says, corrected below: " + changed.join(", ") + ".");
    show("good", "The signature is valid: nothing in this certificate was changed since the owner of the key signed it.");
  } catch {
    show("bad", "Not valid: the signature cannot be read.");
  }
})();`;
