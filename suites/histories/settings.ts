/** How much is tried: by each check so many histories, or for so long; what the check itself says unless given. */
export const historySettings: {
  histories?: number | undefined;
  minutes?: number | undefined;
  /** Whether a history that went wrong is told as it was lived. */
  isLeftLong?: boolean;
} = {};

/** Numbers of histories, from 0 on, until there have been enough. */
export function* rounds(ordinary: number): Generator<number> {
  const { histories, minutes } = historySettings;
  const deadline = minutes === undefined ? -Infinity : performance.now() + minutes * 60_000;
  const least = histories ?? (minutes === undefined ? ordinary : 1);
  for (let round = 0; round < least || performance.now() < deadline; round += 1) yield round;
}

/** Whether the user asks for more than what each check says itself. */
export function isLonger(): boolean {
  return historySettings.histories !== undefined || historySettings.minutes !== undefined;
}
