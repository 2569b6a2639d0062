/** Request parameters in sending order. A list, because order and repetition are what some checks are about. */
export type Parameters = readonly (readonly [name: string, value: string])[];

/** The parameters without every one of that name. */
export function without(parameters: Parameters, name: string): Parameters {
  return parameters.filter(([key]) => key !== name);
}

/** The parameters with the value of `name` replaced in place. */
export function replacing(parameters: Parameters, name: string, value: string): Parameters {
  return parameters.map(([key, old]) => [key, key === name ? value : old] as const);
}

/** The parameters and these behind them. */
export function adding(parameters: Parameters, ...more: Parameters): Parameters {
  return [...parameters, ...more];
}

/** The first value of that name. */
export function valueOf(parameters: Parameters, name: string): string | undefined {
  return parameters.find(([key]) => key === name)?.[1];
}

/** `a=b&c=d`, each side percent-encoded exactly once and nothing normalised. */
export function encodeParameters(parameters: Parameters): string {
  return parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
}

// encodeURIComponent throws on a lone surrogate and leaves !'()* as they are, which both encodings allow.
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
