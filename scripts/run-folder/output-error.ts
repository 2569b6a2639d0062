import { UsageError } from "../usage-error.ts";

/** Results cannot be written: the disk is full, or the place cannot be used. */
export class OutputError extends UsageError {
  override readonly name = "OutputError";
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota is used up",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of the path is not a directory",
  EEXIST: "a file of this name exists",
  EISDIR: "it is a directory",
  ENAMETOOLONG: "the name is too long",
  EFBIG: "the file is too large",
  EIO: "the device failed",
  ELOOP: "too many symbolic links",
};

/**
 * Does work on the file system.
 *
 * @param what - completes "cannot …", with the path
 * @throws {OutputError} when the file system refuses
 */
export function onFileSystem<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw outputError(what, cause);
  }
}

/** @returns the error itself when it is none of the file system's */
export function outputError(what: string, cause: unknown): unknown {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  const isSystemError = cause instanceof Error && Reflect.get(cause, "syscall") !== undefined;
  if (!isSystemError || typeof code !== "string") return cause;
  return new OutputError(`cannot ${what}: ${reasons[code] ?? cause.message}`, { cause });
}
