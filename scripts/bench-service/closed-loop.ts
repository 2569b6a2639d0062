import autocannon from "autocannon";
import { MeasurementError } from "./measurement-error.ts";

export interface ClosedLoop {
  url: string;
  connections: number;
  durationSeconds: number;
  /** Of every answer; others, errors and timeouts are refused as a measurement. */
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * POST requests, each connection sending the next as soon as it has its answer.
 *
 * @returns answers a second
 * @throws {MeasurementError} when anything but the expected status came
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
