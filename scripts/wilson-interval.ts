const z = 1.96;

/**
 * The 95 % interval of a share after Wilson.
 *
 * @returns two shares from 0 to 1; all of them when nothing was tried
 */
export function wilsonInterval(hits: number, tries: number): { from: number; to: number } {
  if (tries === 0) return { from: 0, to: 1 };
  const share = hits / tries;
  const middle = share + z ** 2 / (2 * tries);
  const margin = z * Math.sqrt((share * (1 - share)) / tries + z ** 2 / (4 * tries ** 2));
  const scale = 1 + z ** 2 / tries;
  return { from: (middle - margin) / scale, to: (middle + margin) / scale };
}
