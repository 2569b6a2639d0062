import { randomBytes } from "node:crypto";
import { basename, dirname, resolve } from "node:path";
import { environmentOf, type StartSettings } from "../../suites/support/target/start-settings.ts";
import type { ContainerEngine } from "./container-engine.ts";
import type { Guard } from "./guard.ts";
import type { Launcher } from "./launcher.ts";
import { reasonOf, StartError } from "./start-error.ts";
import type { TargetLog } from "./target-log.ts";

/** A port of this machine that leads to one in the container. */
export interface PortMapping {
  readonly host: number;
  readonly container: number;
}

interface Containers {
  readonly ids: readonly string[];
  /** Removes what came with them, such as a network. */
  removeRest(): Promise<void>;
}

/** Runs the image or the compose file of the settings. Containers keep their data and their ports when they start again. */
export function containerLauncher(
  engine: ContainerEngine,
  settings: StartSettings,
  ports: readonly PortMapping[],
  { log, guard }: { readonly log: TargetLog; readonly guard: Guard },
): Launcher {
  const { client } = engine;
  let containers: Containers | undefined;

  const each = async (work: (id: string) => Promise<unknown>): Promise<void> => {
    await Promise.all((containers?.ids ?? []).map(work));
  };

  async function followLogs(sinceSeconds: number): Promise<void> {
    await each(async (id) => {
      const stream = await client.container.logs(client.container.getById(id), { since: sinceSeconds });
      stream
        .setEncoding("utf8")
        .on("data", (text: string) => log.append(text.endsWith("\n") ? text : `${text}\n`));
    });
  }

  return {
    async start() {
      const sinceSeconds = Date.now() / 1000;
      if (containers === undefined) {
        containers =
          settings.compose === undefined
            ? await startImage(engine, settings, ports)
            : await startCompose(engine, settings, settings.compose);
        guard.watch({ containers: containers.ids });
        await followLogs(0);
        return;
      }
      await each((id) => client.container.getById(id).start());
      await followLogs(sinceSeconds);
    },
    stop: () => each((id) => client.container.getById(id).stop({ t: Math.ceil(settings.stop_seconds) })),
    async kill() {
      await each(async (id) => {
        const container = client.container.getById(id);
        const ended = container.wait();
        await container.kill({ signal: "SIGKILL" });
        await ended;
      });
    },
    async endedWith() {
      for (const id of containers?.ids ?? []) {
        const { State: state } = await client.container.getById(id).inspect();
        if (!state.Running) return `exit code ${state.ExitCode}`;
      }
      return undefined;
    },
    async remove() {
      const { ids = [], removeRest } = containers ?? {};
      try {
        await engine.remove(ids);
        await removeRest?.();
      } catch (cause) {
        console.error(`mailproof: containers of the target may be left: ${reasonOf(cause)}`);
      }
      guard.watch("nothing");
      containers = undefined;
    },
  };
}

async function startImage(
  { client, testcontainers }: ContainerEngine,
  settings: StartSettings,
  ports: readonly PortMapping[],
): Promise<Containers> {
  const { image = "", arguments: args, files } = settings;
  const { GenericContainer, ImageName, Wait } = testcontainers;
  const name = ImageName.fromString(image);
  if (!(await client.image.exists(name))) {
    await client.image.pull(name).catch((cause: unknown) => {
      const message = `the image ${image} is not on this machine and cannot be pulled (${reasonOf(cause)}); build it, or pull it before the run`;
      throw new StartError(message, { cause });
    });
  }
  const container = new GenericContainer(image)
    .withExposedPorts(...ports)
    .withEnvironment(environmentOf(settings))
    .withCopyFilesToContainer(Object.entries(files).map(([target, source]) => ({ source, target })))
    .withExtraHosts([{ host: "host.docker.internal", ipAddress: "host-gateway" }])
    // When it is ready is found out in the same way for processes.
    .withWaitStrategy(Wait.forAll([]));
  if (args !== undefined) container.withCommand(args);
  try {
    const started = await container.start();
    return { ids: [started.getId()], removeRest: async () => {} };
  } catch (cause) {
    throw new StartError(`the image ${image} cannot be started: ${reasonOf(cause)}`, { cause });
  }
}

async function startCompose(
  { client, testcontainers }: ContainerEngine,
  settings: StartSettings,
  file: string,
): Promise<Containers> {
  const { DockerComposeEnvironment, Wait } = testcontainers;
  const project = `mailproof-${randomBytes(4).toString("hex")}`;
  try {
    const started = await new DockerComposeEnvironment(dirname(resolve(file)), basename(file))
      .withProjectName(project)
      .withEnvironment(environmentOf(settings))
      .withDefaultWaitStrategy(Wait.forAll([]))
      .up();
    const all = await client.container.list();
    const own = all.filter(({ Labels: labels }) => labels["com.docker.compose.project"] === project);
    return {
      ids: own.map(({ Id: id }) => id),
      removeRest: async () => void (await started.down({ removeVolumes: true })),
    };
  } catch (cause) {
    throw new StartError(`${file} cannot be started: ${reasonOf(cause)}`, { cause });
  }
}
