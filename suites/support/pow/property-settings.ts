/**
 * For fast-check: every run has the same cases, unless `FAST_CHECK_SEED` is set. fast-check prints the seed of a failure; set
 * the variable to it to replay the failure.
 */
export const propertySettings = { seed: Number(process.env["FAST_CHECK_SEED"] ?? 7914) };
