import { encodeParameters } from "../../wire/parameters.ts";

/** Whether a secret stands in one of these texts: as it is, or as forms, addresses and JSON spell it. */
export function carriesText(texts: readonly string[], secret: string): boolean {
  const spellings = [
    secret,
    encodeURIComponent(secret),
    encodeURI(secret),
    encodeParameters([["", secret]]).slice(1),
    JSON.stringify(secret).slice(1, -1),
  ];
  return texts.some((text) => spellings.some((spelling) => text.includes(spelling)));
}
