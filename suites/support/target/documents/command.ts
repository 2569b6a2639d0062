import { runProgram } from "../run-program.ts";
import type { Place } from "./place.ts";

/** Runs a program for each document, which it gets on standard input. What it publishes stays. */
export function publishByCommand(baseUrl: string, command: readonly string[]): Place {
  return {
    async publish(name, content) {
      const url = `${baseUrl}/${name}`;
      const named = command.map((part) => part.replaceAll("{name}", name));
      await runProgram("client_metadata.command", named, JSON.stringify(content(url)));
      return url;
    },
    close: async () => {},
  };
}
