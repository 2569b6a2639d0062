import type * as testcontainersModule from "testcontainers";
import { reasonOf, StartError } from "./start-error.ts";

type Testcontainers = typeof testcontainersModule;

/** What is done with containers that run already, whoever made them. */
export interface ContainerEngine {
  readonly client: testcontainersModule.ContainerRuntimeClient;
  readonly testcontainers: Testcontainers;
  /** Removes containers and their volumes, running or not. What is gone already is not an error. */
  remove(ids: readonly string[]): Promise<void>;
}

/** @throws {StartError} when testcontainers is not installed, or no engine answers */
export async function connectEngine(): Promise<ContainerEngine> {
  // Its own helper image removes containers after a crash. It would have to be pulled, and guard-process.ts does the same.
  process.env["TESTCONTAINERS_RYUK_DISABLED"] ??= "true";
  const testcontainers = await loadTestcontainers();
  try {
    const client = await testcontainers.getContainerRuntimeClient();
    return {
      client,
      testcontainers,
      async remove(ids) {
        for (const id of ids)
          await client.container.getById(id).remove({ force: true, v: true }).catch(ignoreMissing);
      },
    };
  } catch (cause) {
    throw new StartError(
      `no container engine answers (${reasonOf(cause)}); start Docker, or say where it is in DOCKER_HOST`,
      { cause },
    );
  }
}

async function loadTestcontainers(): Promise<Testcontainers> {
  try {
    return await import("testcontainers");
  } catch (cause) {
    throw new StartError(
      "images are started with the npm package testcontainers, which is not installed: npm install --save-dev testcontainers@12",
      { cause },
    );
  }
}

/** What the engine answers about a container that is gone, or on its way. */
function ignoreMissing(cause: unknown): void {
  const status: unknown = cause instanceof Error ? Reflect.get(cause, "statusCode") : undefined;
  if (status !== 404 && status !== 409) throw cause;
}
