import type { Check } from "../suites/support/check.ts";

export interface Suite {
  readonly name: string;
  readonly checks: readonly Check[];
}

const names = ["metadata","registration","client-metadata","authorize","pkce","redirect-uri","resource","token","code","refresh","revocation","bearer","account-header","scope","agents","jmap","pow","sessions","token-confusion","errors"];

async function load(name: string): Promise<Suite[]> {
  try {
    const module: Record<string, readonly Check[]> = await import(`../suites/${name}/checks.ts`);
    return [{ name, checks: Object.values(module).flat() }];
  } catch (error) {
    console.error(`suite ${name} not loaded: ${String(error).split("\n")[0]}`);
    return [];
  }
}

export const suites: readonly Suite[] = (await Promise.all(names.map(load))).flat();
