import { check } from "../support/judging/check.ts";
import { propertySettings } from "../support/pow/property-settings.ts";
import { secretLasts } from "../support/material/client-secrets.ts";
import { sharedClient } from "../support/material/clients.ts";
import type { Target } from "../support/target/target.ts";
import { followCoverage } from "./coverage.checks.ts";
import { live, replayHistory } from "./live.ts";
import { type Lives, livesUntilBroken, violationOf } from "./lives.ts";
import type { Step } from "./grants.ts";
import { newCoverage, type Theme } from "./next-step.ts";
import { playableLife } from "./playable.ts";
import { startPlay } from "./play.ts";
import { shorteningOfGrants } from "./shorten.ts";
import { storyOf } from "./story.ts";

interface LifeCase {
  readonly slug: string;
  /** Reads after "In random histories of grants ". */
  readonly words: string;
  readonly theme: Theme;
  readonly lives: number;
  /** At most so many pass on the target's clock. */
  readonly waitSeconds?: number;
  /** With clients of their own: a target may let a consent or a refusal of it end what a client has. */
  readonly needsOwnClients?: true;
}

const minute = 60;
const day = 86_400;

// What ends a grant, or leaves open whether it has ended, comes seldom enough for the grant to have a life before.
const seldom = { "replay a code": 0.3, reuse: 0.6, revoke: 0.4, "revoke an older token": 0.2, widen: 0.4 };

const asAnother = {
  "present a code as another client": 0.5,
  "refresh as another client": 0.5,
  "reuse as another client": 0.5,
};

export const lifeCases: readonly LifeCase[] = [
  {
    slug: "one-grant",
    words: "of one person to one client",
    lives: 16,
    theme: {
      clients: ["public"],
      humans: ["first"],
      mostGrants: 1,
      mostRotationsFirst: 8,
      motifs: [
        { on: "a grant", steps: ["rotate", "reuse", "the same", "the same"] },
        { on: "a grant", steps: ["rotate", "revoke", "reuse", "the same"] },
        { on: "a grant", steps: ["revoke", "replay a code"] },
        { on: "a grant", steps: ["revoke", "rotate", "the same"] },
        { on: "a grant", steps: ["rotate", "rotate", "rotate", "revoke", "the same"] },
        { on: "a grant", steps: ["replay a code", "rotate"] },
      ],
      weights: { ...seldom, authorize: 4, redeem: 6, rotate: 3, reuse: 1 },
    },
  },
  {
    slug: "clients",
    words: "of one person to three clients",
    lives: 6,
    theme: {
      clients: ["public", "other", "confidential"],
      humans: ["first"],
      mostGrants: 3,
      mostRotationsFirst: 4,
      motifs: [
        { on: "a code", steps: ["present a code as another client", "replay a code", "the same"] },
        { on: "a grant", steps: ["present a code as another client", "replay a code"] },
        { on: "a grant", steps: ["refresh as another client", "rotate", "reuse"] },
        { on: "a grant", steps: ["rotate", "reuse as another client", "reuse"] },
        { on: "a grant", steps: ["rotate", "refresh as another client", "reuse"] },
        { on: "a grant", steps: ["refresh as another client", "revoke"] },
      ],
      weights: { ...seldom, authorize: 2, redeem: 5, rotate: 2 },
    },
  },
  {
    slug: "people",
    words: "of two people to the same clients",
    lives: 6,
    theme: {
      clients: ["public", "confidential"],
      humans: ["first", "second"],
      mostGrants: 4,
      weights: { ...seldom, authorize: 2, redeem: 5, rotate: 2, ...asAnother },
    },
  },
  {
    slug: "narrowed",
    words: "that a person has narrowed",
    lives: 6,
    theme: {
      clients: ["public", "other"],
      humans: ["first"],
      mostGrants: 2,
      mostRotationsFirst: 2,
      motifs: [
        { on: "a grant", isNarrowed: true, steps: ["widen", "rotate"] },
        { on: "a grant", isNarrowed: true, steps: ["widen", "rotate", "reuse"] },
        { on: "a grant", isNarrowed: true, steps: ["refresh as another client", "rotate"] },
        { on: "a grant", isNarrowed: true, steps: ["rotate", "reuse"] },
      ],
      weights: { ...seldom, authorize: 0.2, narrow: 3, redeem: 5, rotate: 2, widen: 2, reuse: 0.3 },
    },
  },
  {
    slug: "resources",
    words: "for the JMAP and the MCP resource, some of them declined",
    lives: 4,
    needsOwnClients: true,
    theme: {
      clients: ["public", "other", "confidential"],
      humans: ["first"],
      mostGrants: 3,
      hasResources: true,
      mostRotationsFirst: 4,
      motifs: [
        { on: "a grant", resource: "MCP", steps: ["rotate", "rotate", "rotate", "rotate"] },
        { on: "a grant", resource: "MCP", steps: ["rotate", "rotate", "reuse the oldest", "rotate"] },
        { on: "a grant", resource: "MCP", steps: ["rotate", "revoke", "rotate"] },
      ],
      weights: { ...seldom, authorize: 4, narrow: 0.5, redeem: 6, rotate: 3, deny: 1, reuse: 0.4 },
    },
  },
  {
    slug: "same-client",
    words: "of one person to one client, several at once",
    lives: 4,
    needsOwnClients: true,
    theme: {
      clients: ["public"],
      humans: ["first"],
      mostGrants: 3,
      allowsSecondGrants: true,
      mostRotationsFirst: 3,
      motifs: [
        { on: "a grant", steps: ["rotate", "rotate", "deny", "replay a code"] },
        { on: "a grant", steps: ["rotate", "rotate", "revoke", "authorize", "redeem the newest"] },
        { on: "a grant", steps: ["rotate", "rotate", "reuse", "narrow", "redeem the newest"] },
      ],
      weights: { ...seldom, authorize: 3, narrow: 1.5, redeem: 6, rotate: 2, deny: 0.7, revoke: 0.8 },
    },
  },
  {
    slug: "time",
    words: "over months",
    lives: 6,
    waitSeconds: 300 * day,
    theme: {
      clients: ["public", "confidential"],
      humans: ["first"],
      mostGrants: 2,
      mostRotationsFirst: 3,
      motifs: [
        { on: "a grant", steps: [{ wait: 60 * day }, "rotate", "reuse the last", "rotate"] },
        { on: "a grant", steps: ["revoke", { wait: 2 * day }, "rotate", { wait: 60 * day }, "rotate"] },
        {
          on: "a grant",
          steps: ["rotate", { wait: 2 * day }, "reuse the oldest", { wait: 2 * day }, "rotate"],
        },
        {
          on: "a grant",
          steps: [{ wait: 80 * day }, "rotate", { wait: 80 * day }, "rotate", "reuse the last", "rotate"],
        },
        { on: "a code", steps: [{ wait: 20 * minute }, "redeem"] },
      ],
      waits: [20 * minute, 2 * day, 60 * day, 91 * day],
      weights: { ...seldom, authorize: 2, redeem: 6, rotate: 3, wait: 4, reuse: 1, revoke: 0.6 },
    },
  },
];

const mostSteps = 12;

/** Lives of one theme, one after the other, since two grants of one person to one client need not stand apart. */
async function livesOf(
  target: Target,
  { slug, theme: wanted, lives, needsOwnClients, waitSeconds = 0 }: LifeCase,
): Promise<Lives<Step>> {
  const isAlone = target.profile.clients.registration === "dynamic";
  const permitted = needsOwnClients !== true || isAlone ? wanted : withoutRefusals(wanted);
  const theme = await withLastingClients(target, permitted, waitSeconds);
  const purpose = needsOwnClients === true ? slug : undefined;
  const coverage = newCoverage();
  const hasLived = followCoverage(target, coverage);
  const { motifs = [] } = theme;
  return livesUntilBroken(target, lives, {
    async live(round) {
      const seed = propertySettings.seed + round * 7919 + slug.length;
      const motif = motifs[round % (motifs.length + 1)];
      const options = { seed, motif, mostSteps, coverage };
      const history = await live(startPlay(target.setup, { purpose }), theme, options);
      hasLived();
      return history;
    },
    replayHistory: (on, steps, propagationSeconds) =>
      replayHistory(startPlay(on, { purpose, propagationSeconds }), steps),
    shortening: shorteningOfGrants,
  });
}

/** Without the confidential client where its secret ends meanwhile, as a target may decide (RFC 7591 §3.2.1). */
async function withLastingClients(target: Target, theme: Theme, seconds: number): Promise<Theme> {
  if (seconds === 0 || !theme.clients.includes("confidential")) return theme;
  if (secretLasts(target, await sharedClient(target, "confidential"), seconds)) return theme;
  return { ...theme, clients: theme.clients.filter((client) => client !== "confidential") };
}

/** What may end grants of other checks, where they have the same clients. */
function withoutRefusals(theme: Theme): Theme {
  const { motifs = [], allowsSecondGrants: _, ...others } = theme;
  return {
    ...others,
    motifs: motifs.filter(
      ({ steps }) => !steps.some((step) => step === "deny" || step === "redeem the newest"),
    ),
    weights: { ...theme.weights, deny: 0 },
  };
}

export const lifeChecks = lifeCases.map((one) =>
  check({
    id: `LIFE-01/${one.slug}`,
    claim: `In random histories of grants ${one.words}, every response is one that the document allows.`,
    needs: one.theme.humans.length > 1 ? ["human", "second-human"] : ["human"],
    ...(one.waitSeconds !== undefined && { waitSeconds: one.waitSeconds }),
    act: (target) => livesOf(target, one),
    assert({ broken }) {
      if (broken !== undefined)
        throw violationOf(broken, storyOf(broken), playableLife("grants", broken.steps));
    },
  }),
);
