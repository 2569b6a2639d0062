import autocannon from "autocannon";
import { MeasurementError } from "./measurement-error.ts";

export interface ClosedLoop {
  url: string;
  connections: number;
  durationSeconds: number;
  /** The expected status; any other, an error or a timeout invalidates the measurement. */
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Sends POST requests in a closed loop.
 *
 * @returns responses per second
 * @throws {MeasurementError} on any status other than the expected one
 */
export async function closedLoop({ status, durationSeconds, ...request }: ClosedLoop): Promise<number> {
  const result = await autocannon({ ...request, method: "POST", duration: durationSeconds });
  const expected = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  if (expected !== result.requests.total || result.errors > 0) {
    const statuses = Object.keys(result.statusCodeStats ?? {}).join(", ");
    throw new MeasurementError(
      `expected ${status} from every POST ${request.url}, got ${statuses} and ${result.errors} errors`,
    );
  }
  return expected / result.duration;
}
