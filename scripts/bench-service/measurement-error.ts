/** The measurement is invalid. */
export class MeasurementError extends Error {
  override readonly name = "MeasurementError";
}
