/**
 * For fast-check: the same cases in every run unless `FAST_CHECK_SEED` asks for others. fast-check prints the seed of a failure,
 * so setting the variable to it replays the failure.
 */
export const propertySettings = { seed: Number(process.env["FAST_CHECK_SEED"] ?? 7914) };
