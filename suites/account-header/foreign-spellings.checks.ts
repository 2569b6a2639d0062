import { check } from "../support/judging/check.ts";
import { foreignInbox } from "../support/material/inboxes.ts";
import { expectRefusedWith, selectingValue, servedSelection } from "./selection.ts";
import { uuidForms } from "./uuid-forms.ts";

const spellings: typeof uuidForms = [
  { slug: "upper-case", words: "in upper case", spell: (id) => id.toUpperCase() },
  ...uuidForms,
];

/** Whatever spelling of a UUID is taken, the inbox that it names must be owned. Document, OAuth 2.0 path 9. */
export const foreignSpellingChecks = spellings.map(({ slug, words, spell }) =>
  check({
    id: `HDR-11/${slug}`,
    claim: `The \`accountId\` of another person's inbox ${words} is refused with 400 or 403.`,
    needs: ["human", "second-human"],
    async act(target) {
      const { token } = await servedSelection(target);
      return selectingValue(target, token, spell(await foreignInbox(target)));
    },
    assert: (exchange) =>
      expectRefusedWith(exchange, [400, 403], {
        served: "HDR-11/mailbox-query",
        status: "HDR-11/mailbox-query",
      }),
  }),
);
