import { challengeRequest } from "../support/actors/agent.ts";
import { observe } from "../support/judging/check.ts";
import { header, listHeader } from "../support/wire/exchange.ts";

/** A script of another origin sees a response header only where the target exposes it. */
export const exposedToken = observe({
  id: "B-POW-08",
  question: "May a script of another origin read the challenge in the `Authorization` response header?",
  act: (target) =>
    target.send({ ...challengeRequest(target), headers: [["Origin", "https://agent.example.test"]] }),
  answer(exchange) {
    const origin = header(exchange, "access-control-allow-origin") ?? "absent";
    const exposed = listHeader(exchange, "access-control-expose-headers") ?? "absent";
    return `Access-Control-Allow-Origin ${origin}, Access-Control-Expose-Headers ${exposed}`;
  },
});
