/**
 * An upper bound of what is random in samples of one kind: the characters that all samples share in front and behind are
 * left out, and the rest counts as independent draws from the characters that occur in it.
 *
 * @param samples - different from each other; two or more
 * @returns bits
 */
export function guessableBits(samples: readonly string[]): number {
  const shortest = Math.min(...samples.map((sample) => sample.length));
  const front = sharedLength(samples, shortest, (sample, at) => sample[at]);
  const behind = sharedLength(samples, shortest - front, (sample, at) => sample.at(-1 - at));
  const varying = samples.map((sample) => sample.slice(front, sample.length - behind));
  const alphabet = new Set(varying.flatMap((text) => [...text])).size;
  return (shortest - front - behind) * Math.log2(alphabet);
}

function sharedLength(
  samples: readonly string[],
  most: number,
  character: (sample: string, at: number) => string | undefined,
): number {
  const [first = ""] = samples;
  let length = 0;
  while (length < most && samples.every((sample) => character(sample, length) === character(first, length)))
    length += 1;
  return length;
}
