import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Makes an image of the Node.js that runs this and the libraries that it links to, where no registry of images can be reached.
 * It has no shell and no package manager.
 */
export function importNodeImage(name: string): void {
  importImage(name, {
    programs: { "/usr/local/bin/node": process.execPath },
    changes: ["ENV PATH=/usr/local/bin"],
    add(root) {
      writeFileSync(join(root, "etc/passwd"), "node:x:1000:1000::/tmp:/nologin\n");
    },
  });
}

export interface ImageContent {
  /** Where programs of this machine stand in it. Each comes with the libraries that it links to. */
  readonly programs: Readonly<Record<string, string>>;
  /** Instructions of a Dockerfile. */
  readonly changes: readonly string[];
  /** Puts what else it holds below a folder. */
  add(root: string): void;
  /** Folders that any user may write to, beside /tmp. */
  readonly writable?: readonly string[];
}

/** Makes an image of programs of this machine. */
export function importImage(name: string, { programs, changes, add, writable = [] }: ImageContent): void {
  const root = mkdtempSync(join(tmpdir(), "mailproof-base-"));
  try {
    mkdirSync(join(root, "etc"));
    for (const [place, program] of Object.entries(programs)) {
      put(root, realpathSync(program), place);
      for (const library of linkedLibraries(program)) put(root, realpathSync(library), library);
    }
    mkdirSync(join(root, "tmp"), { recursive: true });
    add(root);
    // Not the mode of mkdir, which the umask narrows.
    for (const folder of ["/tmp", ...writable]) execFileSync("chmod", ["1777", join(root, folder)]);
    const archive = execFileSync("tar", ["--create", "--owner=0", "--group=0", "--directory", root, "."], {
      maxBuffer: 1024 * 1024 * 1024,
    });
    const options = changes.flatMap((change) => ["--change", change]);
    execFileSync("docker", ["import", ...options, "-", name], { input: archive });
  } finally {
    rmSync(root, { recursive: true });
  }
}

function put(root: string, from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  copyFileSync(from, join(root, to));
}

/** Absolute paths, as the loader looks for them. */
function linkedLibraries(program: string): string[] {
  const listed = execFileSync("ldd", [program], { encoding: "utf8" });
  return [...listed.matchAll(/(?:=> |^\s+)(\/\S+)/gmu)].map(([, path = ""]) => path);
}
