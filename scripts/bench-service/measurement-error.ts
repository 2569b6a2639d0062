/** Something else than what was to be measured happened, so that there is no figure. */
export class MeasurementError extends Error {
  override readonly name = "MeasurementError";
}
