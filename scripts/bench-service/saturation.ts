import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { claimedDigest, signupBody } from "./forgeries.ts";
import { MeasurementError } from "./measurement-error.ts";

export interface SaturationPlan {
  authUrl: string;
  difficultyBits: number;
  connections: number;
  durationSeconds: number;
  /** For each cheap endpoint. */
  probesPerSecond: number;
}

export interface Saturation {
  verifiedPerSecond: number;
  /** Median latency of verifying a forged proof. */
  verifyMs: number;
  /** Latency of the cheap endpoints under load, from the scheduled time of each request. */
  challengeP99Ms: number;
  metadataP99Ms: number;
}

const warmUpMs = 500;

/** Saturates verification with forged proofs, and probes the cheap endpoints at a constant rate. */
export async function saturate(plan: SaturationPlan): Promise<Saturation> {
  const { authUrl, connections, durationSeconds } = plan;
  const attackers = new Agent({ connections });
  const probes = new Agent();
  const untilMs = performance.now() + warmUpMs + 1000 * durationSeconds;
  const verifyMs: number[] = [];
  const challengeMs: number[] = [];
  const metadataMs: number[] = [];
  const attacks = Array.from({ length: connections }, async () => {
    while (performance.now() < untilMs) verifyMs.push(await attack(plan, attackers));
  });
  await delay(warmUpMs);
  verifyMs.length = 0;
  const startedMs = performance.now();
  await Promise.all([
    ...attacks,
    atConstantRate(plan, async (dueMs) => {
      await expectStatus(request(`${authUrl}/api/v1/challenge`, { method: "POST", dispatcher: probes }), 200);
      challengeMs.push(performance.now() - dueMs);
    }),
    atConstantRate(plan, async (dueMs) => {
      const url = `${authUrl}/.well-known/oauth-authorization-server`;
      await expectStatus(request(url, { dispatcher: probes }), 200);
      metadataMs.push(performance.now() - dueMs);
    }),
  ]);
  const elapsedSeconds = (performance.now() - startedMs) / 1000;
  await Promise.all([attackers.close(), probes.close()]);
  return {
    verifiedPerSecond: verifyMs.length / elapsedSeconds,
    verifyMs: percentile(verifyMs, 50),
    challengeP99Ms: percentile(challengeMs, 99),
    metadataP99Ms: percentile(metadataMs, 99),
  };
}

/** @returns the latency of the verification in ms */
async function attack({ authUrl, difficultyBits }: SaturationPlan, dispatcher: Agent): Promise<number> {
  const { headers } = await expectStatus(
    request(`${authUrl}/api/v1/challenge`, { method: "POST", dispatcher }),
    200,
  );
  const startedMs = performance.now();
  const forged = request(`${authUrl}/api/v1/session`, {
    method: "POST",
    dispatcher,
    headers: { authorization: String(headers["authorization"]), "content-type": "application/json" },
    body: signupBody(claimedDigest(difficultyBits)),
  });
  await expectStatus(forged, 400);
  return performance.now() - startedMs;
}

async function expectStatus(sent: ReturnType<typeof request>, status: number): ReturnType<typeof request> {
  const response = await sent;
  await response.body.dump();
  if (response.statusCode !== status)
    throw new MeasurementError(`expected ${status}, got ${response.statusCode}`);
  return response;
}

/** Open loop: sends at a constant rate, whether or not earlier requests have completed. */
async function atConstantRate(
  { durationSeconds, probesPerSecond }: SaturationPlan,
  send: (dueMs: number) => Promise<void>,
): Promise<void> {
  const startedMs = performance.now();
  const sent: Promise<void>[] = [];
  for (let index = 0; index < durationSeconds * probesPerSecond; index++) {
    const dueMs = startedMs + (1000 * index) / probesPerSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    sent.push(send(dueMs));
  }
  await Promise.all(sent);
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
}
