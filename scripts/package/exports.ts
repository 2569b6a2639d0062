// What `import … from "mailproof"` gives to checks of one's own: what they are made of, what they start from, and the types
// of what a run reads and writes. Each name is explained where it is declared.

export { check, observe, recommend } from "../../suites/support/judging/check.ts";
export type { Check, ClaimCheck, Need, ObserveCheck } from "../../suites/support/judging/check.ts";
export type { Certainty } from "../../suites/support/verdict.ts";
export {
  BlockedError,
  InconclusiveError,
  NotApplicableError,
  Violation,
  warning,
} from "../../suites/support/verdict.ts";

export { expectEqual, expectStatus, expectThat } from "../../suites/support/judging/expect.ts";
export { controlRefused } from "../../suites/support/wire/control-refused.ts";
export { header, jsonMembers } from "../../suites/support/wire/exchange.ts";

export {
  accountHeader,
  bearer,
  jmapAs,
  jmapBody,
  methodResponses,
} from "../../suites/support/actors/jmap.ts";
export { freshGrant, sharedAccessToken } from "../../suites/support/material/grants.ts";
export { inboxOf } from "../../suites/support/material/inboxes.ts";
export { sharedSession } from "../../suites/support/material/agents.ts";

export { type KeptStory, playStory } from "../story/play-story.ts";
export type { PlayableStory, StoryStep } from "../../suites/support/verdict.ts";

export type { Exchange } from "../../suites/support/wire/exchange.ts";
export type { Outgoing } from "../../suites/support/wire/http.ts";
export type { Target } from "../../suites/support/target/target.ts";
export type { Profile } from "../../suites/support/target/profile.ts";
export type { OwnSuite as Suite } from "../conformance/own-suite.ts";
export type { Run } from "../../reports/run-format.ts";
