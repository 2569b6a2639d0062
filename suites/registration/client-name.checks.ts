import { advise } from "../support/judging/advice.ts";
import { authorizationRequest, unguessable } from "../support/actors/oauth-client.ts";
import { attempt } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { mediaType } from "../support/wire/exchange.ts";
import { expectThat, isRefusalStatus } from "../support/judging/expect.ts";
import { observation } from "../support/verdict.ts";
import { publicMetadata, registerAs, requireRegistered } from "./registered-clients.ts";

const escapedName = check({
  id: "B-DCR-19",
  claim: "A client_name with markup shows as text on the consent page.",
  needs: ["human"],
  async act(target) {
    const marker = unguessable();
    const markup = `<img src=x onerror="${marker}">`;
    const registration = await registerAs(target, publicMetadata({ client_name: markup }));
    // A server may refuse such a name: then there is nothing that could show it.
    if (isRefusalStatus(registration.response.status)) return { marker, markup, pages: [] };
    const client = requireRegistered(registration);
    target.spend("grants");
    const { hops } = await attempt(target, authorizationRequest(target, client));
    const pages = hops()
      .filter((hop) => mediaType(hop) === "text/html")
      .map((hop) => hop.response.body);
    return { marker, markup, pages };
  },
  assert: ({ marker, markup, pages }) =>
    advise(() => {
      // Some servers strip the quotes, or put others.
      const isMarkup = (page: string): boolean =>
        page.includes(markup) || new RegExp(`<img[^>]*${marker}`, "u").test(page);
      expectThat(!pages.some(isMarkup), "the name escaped", "its markup as it was registered");
    }) ??
    (pages.some((page) => page.includes(marker))
      ? undefined
      : observation("the name was refused, or no page shows it")),
});

export const clientNameChecks = [escapedName];
