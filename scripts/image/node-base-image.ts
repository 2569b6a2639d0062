import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Makes an image of the Node.js that runs this and the libraries that it links to, where no registry of images can be reached.
 * It has no shell and no package manager.
 */
export function importNodeImage(name: string): void {
  const root = mkdtempSync(join(tmpdir(), "mailproof-base-"));
  try {
    put(root, realpathSync(process.execPath), "/usr/local/bin/node");
    for (const library of linkedLibraries(process.execPath)) put(root, realpathSync(library), library);
    mkdirSync(join(root, "etc"), { recursive: true });
    writeFileSync(join(root, "etc/passwd"), "node:x:1000:1000::/tmp:/nologin\n");
    mkdirSync(join(root, "tmp"), { mode: 0o1777 });
    // Not the mode of mkdir, which the umask narrows.
    execFileSync("chmod", ["1777", join(root, "tmp")]);
    const archive = execFileSync("tar", ["--create", "--owner=0", "--group=0", "--directory", root, "."], {
      maxBuffer: 1024 * 1024 * 1024,
    });
    const environment = "ENV PATH=/usr/local/bin";
    execFileSync("docker", ["import", "--change", environment, "-", name], { input: archive });
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
