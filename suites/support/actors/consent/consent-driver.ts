import type { Target } from "../../target/target.ts";
import type { Exchange } from "../../wire/exchange.ts";
import type { FromOtherSite } from "./cookie-jar.ts";
import type { Decision } from "./step.ts";

/** What a person is asked for at the authorization endpoint, and what they decide. */
export interface ConsentRequest {
  /** Of the authorization endpoint, with all parameters. */
  readonly url: string;
  readonly decision: Decision;
  /** As requested. */
  readonly scopes: readonly string[];
  /** Where the request, or the registration, lets the browser be sent back to. */
  readonly redirectUris: readonly string[];
  /** Opened in the same browser while the consent page is shown: a second tab, which is left as it is. Only the form driver does it. */
  readonly secondTab?: string | undefined;
  /** Opened in the same browser before, and left as it is at its first page. Only the form driver does it. */
  readonly abandoned?: string | undefined;
  /** The requests are changed on their way, so that the target refuses what the person meant. Only the form driver meets it. */
  readonly forged?: true | undefined;
  /** Whether an address is the client's, or where an attacker would be: nothing is ever sent there. */
  readonly leaves: (location: string) => boolean;
}

/** Where a journey through sign-in and consent ended. */
export type Journey =
  /** The browser is led to the client, and was stopped there; `location` as it crossed the wire. */
  | {
      readonly kind: "left";
      readonly location: string;
      /** The answer that led there; undefined when the driver does not show the answers. */
      readonly last: Exchange | undefined;
      /** The person was asked and decided; some targets remember an earlier decision. */
      readonly decided: boolean;
      /** The person took sending out of the grant. */
      readonly narrowed: boolean;
      /** The person created an inbox. */
      readonly createdInbox: boolean;
    }
  /** An answer that leads nowhere. */
  | {
      readonly kind: "ended";
      readonly last: Exchange;
      readonly reason: string;
      /** A person might know how to go on; that the driver does not says nothing about the target. */
      readonly isStuck: boolean;
      /** It answers the sign-in: the person was not asked to decide yet. */
      readonly isAtSignIn: boolean;
    };

/** A person at a browser of their own, with one session for the whole run. One authorization at a time. */
export interface ConsentDriver {
  /**
   * Opens the authorization URL, signs in where asked, and decides.
   *
   * @throws {InconclusiveError} consent-stuck, with where it stopped
   * @throws {BlockedError} when this machine or the profile lacks something that the driver needs
   */
  authorize(target: Target, request: ConsentRequest): Promise<Journey>;
  /**
   * The `Cookie` header that the person's browser sends to an address; undefined when there is nothing to send.
   *
   * @throws {BlockedError} when the driver does not show it
   */
  cookiesFor(url: string): Promise<string | undefined>;
  /** The same where another site makes the browser send the request. Only the form driver knows. */
  cookiesFromOtherSite?(url: string, by: FromOtherSite): string | undefined;
}
