/**
 * The probability that a chi-square variable is at least this large: the regularised upper incomplete gamma function
 * Q(k/2, x/2), by its series below the mean and its continued fraction above (Press et al., Numerical Recipes §6.2; NIST
 * DLMF §8.9, §8.11). Correct to about 12 digits.
 *
 * @param degreesOfFreedom - an integer of 1 or more
 */
export function chiSquareTail(chiSquare: number, degreesOfFreedom: number): number {
  if (chiSquare <= 0) return 1;
  const shape = degreesOfFreedom / 2;
  const x = chiSquare / 2;
  const scale = Math.exp(shape * Math.log(x) - x - logGammaOfHalves(degreesOfFreedom));
  return x < shape + 1 ? 1 - scale * lowerSeries(shape, x) : scale * upperFraction(shape, x);
}

const precision = 1e-14;

function lowerSeries(shape: number, x: number): number {
  let term = 1 / shape;
  let sum = term;
  for (let at = shape + 1; term > sum * precision; at++) {
    term *= x / at;
    sum += term;
  }
  return sum;
}

/** Lentz's method. */
function upperFraction(shape: number, x: number): number {
  let b = x + 1 - shape;
  let c = Number.MAX_VALUE;
  let d = 1 / b;
  let value = d;
  for (let at = 1; ; at++) {
    const a = -at * (at - shape);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    value *= c * d;
    if (Math.abs(c * d - 1) < precision) return value;
  }
}

/** ln Γ(n/2), by Γ(x+1) = xΓ(x) from Γ(1/2) = √π and Γ(1) = 1. */
function logGammaOfHalves(n: number): number {
  const isOdd = n % 2 === 1;
  let sum = isOdd ? Math.log(Math.PI) / 2 : 0;
  for (let x = isOdd ? 0.5 : 1; x < n / 2; x++) sum += Math.log(x);
  return sum;
}
