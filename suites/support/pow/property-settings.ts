/**
 * For fast-check: every run has the same cases, unless `FAST_CHECK_SEED` or `--seed` says otherwise. fast-check prints the
 * seed of a failure; set it to that to replay the failure.
 */
export const propertySettings = { seed: Number(process.env["FAST_CHECK_SEED"] ?? 7914) };
