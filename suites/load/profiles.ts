import type { LoadProfile } from "../support/load/load-profile.ts";
import { authorize } from "./authorize.profile.ts";
import { capability } from "./capability.profile.ts";
import { capacity } from "./capacity.profile.ts";
import { challenge } from "./challenge.profile.ts";
import { churn } from "./churn.profile.ts";
import { forgedCheap } from "./forged-cheap.profile.ts";
import { isolation } from "./isolation.profile.ts";
import { jmapRead } from "./jmap-read.profile.ts";
import { mixed } from "./mixed.profile.ts";
import { refresh } from "./refresh.profile.ts";
import { replay } from "./replay.profile.ts";
import { soak } from "./soak.profile.ts";
import { spike } from "./spike.profile.ts";
import { verifyForged } from "./verify-forged.profile.ts";
import { verifyValid } from "./verify-valid.profile.ts";

/** In the order in which a run takes them. */
export const loadProfiles: readonly LoadProfile[] = [
  challenge,
  verifyValid,
  verifyForged,
  forgedCheap,
  replay,
  capability,
  jmapRead,
  refresh,
  authorize,
  mixed,
  isolation,
  spike,
  soak,
  capacity,
  churn,
];

/** The profiles of a run without `--profile`: they need no human and take less than two minutes. */
export const defaultLoadProfiles: readonly LoadProfile[] = [
  challenge,
  verifyForged,
  forgedCheap,
  replay,
  isolation,
];
