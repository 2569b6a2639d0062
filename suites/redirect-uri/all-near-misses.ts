import { clientNearMisses } from "./client-near-misses.ts";
import type { NearMiss } from "./near-miss.ts";
import { loopbackNames, originNearMisses } from "./origin-near-misses.ts";
import { pathNearMisses } from "./path-near-misses.ts";
import { valueNearMisses } from "./value-near-misses.ts";

/** Every value that must be refused whatever the profile tolerates. */
export const nearMisses: readonly NearMiss[] = [
  ...pathNearMisses,
  ...originNearMisses,
  ...valueNearMisses,
  ...loopbackNames,
  ...clientNearMisses,
];
