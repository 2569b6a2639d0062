import { type FSWatcher, statSync, watch } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { UsageError } from "../usage-error.ts";

export interface FileChanges {
  close(): void;
}

// An editor writes a file in several steps, and a build many files.
const quietMs = 300;
const ignoredFolders = new Set(["node_modules", ".git"]);

/**
 * @param except - a folder whose files change for other reasons
 * @param onChange - gets one of the files that changed, when none has changed for a while
 * @throws {UsageError} when there is no such folder, or it cannot be watched
 */
export function watchFiles(
  folders: readonly string[],
  except: string,
  onChange: (path: string) => void,
): FileChanges {
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
  const changed = (path: string): void => {
    if (isIgnored(path, except)) return;
    clearTimeout(timer);
    timer = setTimeout(() => onChange(path), quietMs);
  };
  for (const folder of folders) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      close();
      throw new UsageError(`--on ${folder}: there is no such folder`);
    }
    try {
      const watcher = watch(folder, { recursive: true }, (_event, name) => changed(join(folder, name ?? "")));
      // A folder that is deleted while it is watched.
      watcher.on("error", () => watcher.close());
      watchers.push(watcher);
    } catch (cause) {
      close();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new UsageError(`--on ${folder}: cannot be watched: ${reason}`, { cause });
    }
  }
  return { close };
}

function isIgnored(path: string, except: string): boolean {
  if (path.split(sep).some((part) => ignoredFolders.has(part))) return true;
  const within = relative(resolve(except), resolve(path));
  return within === "" || !within.startsWith("..");
}
