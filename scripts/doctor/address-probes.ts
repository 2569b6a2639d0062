import { header } from "../../suites/support/wire/exchange.ts";
import { originOf } from "../../suites/support/wire/url.ts";
import { showsTls } from "../../suites/support/wire/tls-reasons.ts";
import { type AddressKey, addressProblem } from "../../suites/support/target/preflight.ts";
import type { Target } from "../../suites/support/target/target.ts";
import { InconclusiveError } from "../../suites/support/verdict.ts";
import { addressFix } from "./address-fix.ts";
import type { Prerequisite } from "./prerequisites.ts";
import type { Probe } from "./probe.ts";
import { Problem } from "./problem.ts";

function addressProbe(key: AddressKey, supplies: Prerequisite): Probe {
  return {
    title: key,
    after: [],
    supplies,
    fix: `correct ${key} in the profile, with its path prefix where it has one`,
    async attempt({ target, profile }) {
      const problem = await addressProblem(target, key);
      if (problem === undefined) return `${profile[key]} answers`;
      if (await speaksTlsInstead(target, profile[key]))
        throw new Problem(
          `${profile[key]} is plain http, and https is spoken there`,
          `write ${key} with https:// in the profile`,
        );
      const fix = problem.error && addressFix(key, problem.error);
      if (fix !== undefined) throw new Problem(problem.text, fix);
      const isWithoutCertificate =
        profile[key].startsWith("https:") && profile.client_certificate === undefined;
      // Many servers only close the connection.
      const certificate = "; where it asks for a client certificate, give client_certificate in the profile";
      throw new Problem(problem.text, this.fix + (isWithoutCertificate ? certificate : ""));
    },
  };
}

/** Whether an http address fails because https is spoken at that port. */
async function speaksTlsInstead(target: Target, url: string): Promise<boolean> {
  if (!url.startsWith("http:")) return false;
  try {
    await target.send({
      method: "GET",
      url: `${originOf(url).replace("http:", "https:")}/`,
      beyondTarget: true,
      isRepeatable: false,
    });
    return true;
  } catch (error) {
    if (error instanceof InconclusiveError) return showsTls(error.cause);
    throw error;
  }
}

// Clocks of machines that keep time differ by less.
const mostSkewSeconds = 30;

const clock: Probe = {
  title: "clock",
  after: ["auth_url"],
  supplies: "clock",
  fix: "let both machines keep time (NTP)",
  async attempt({ target }) {
    const skew = skewSeconds(target);
    if (skew === undefined) return "the target's answers carry no Date";
    const words = `${Math.abs(skew)} s ${skew > 0 ? "ahead of" : "behind"} that of this machine`;
    if (Math.abs(skew) > mostSkewSeconds) throw new Problem(`the target's clock is ${words}`, this.fix);
    return skew === 0 ? "the same as that of this machine" : `the target's is ${words}`;
  },
};

/** By the `Date` of the newest answer of the authorization service, which has whole seconds. */
function skewSeconds({ runExchanges, authUrl }: Target): number | undefined {
  for (const exchange of runExchanges().toReversed()) {
    const date = Date.parse(header(exchange, "date") ?? "");
    if (Number.isNaN(date) || !exchange.request.url.startsWith(authUrl)) continue;
    const halfway = Date.parse(exchange.startedAt) + exchange.durationMs / 2;
    return Math.round((date + 500 - halfway) / 1000);
  }
  return undefined;
}

export const addressProbes: readonly Probe[] = [
  addressProbe("auth_url", "service"),
  addressProbe("api_url", "mail API"),
  addressProbe("mcp_url", "MCP server"),
  clock,
];
