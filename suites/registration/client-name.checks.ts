import { authorizationRequest, unguessable } from "../support/actors/oauth-client.ts";
import { attempt } from "../support/actors/authorization.ts";
import { recommend } from "../support/judging/check.ts";
import { isHtml } from "../support/wire/exchange.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { Violation } from "../support/verdict.ts";
import { publicMetadata, registerAs, requireRegistered } from "./registered-clients.ts";

const escapedName = recommend({
  id: "B-DCR-19",
  claim: "Markup in a `client_name` is refused at registration, or appears on no consent page as markup.",
  needs: ["human", "pages"],
  async act(target) {
    const marker = unguessable();
    const markup = `<img src=x onerror="${marker}">`;
    const registration = await registerAs(target, publicMetadata({ client_name: markup }));
    if (isRefusal(registration)) return { marker, markup, answers: [registration] };
    const client = requireRegistered(registration);
    target.spend("grants");
    const { hops } = await attempt(target.setup, authorizationRequest(target, client));
    return { marker, markup, answers: hops().filter((hop) => isHtml(hop)) };
  },
  assert({ marker, markup, answers }) {
    // Some servers strip the quotes, or put others.
    const broken = answers.find(
      ({ response }) =>
        response.status < 400 &&
        (response.body.includes(markup) || new RegExp(`<img[^>]*${marker}`, "u").test(response.body)),
    );
    if (broken !== undefined)
      throw new Violation("the name escaped", "its markup as it was registered", { exchange: broken });
  },
});

export const clientNameChecks = [escapedName];
