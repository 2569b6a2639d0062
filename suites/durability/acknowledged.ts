import { check, type Check, type Need } from "../support/judging/check.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import type { AgentsBefore, GrantsBefore } from "./before.ts";
import { killed } from "./killed.ts";
import { type Life, lives, type Prepared, requirePrepared } from "./lives.ts";
import { type Before, restarted } from "./restarted.ts";

const endings: Readonly<Record<Life, (target: Target) => Promise<Before>>> = { restarted, killed };

const partOf = {
  grants: { needs: ["human"], of: (before: Before): Prepared<GrantsBefore> => before.grants },
  agents: { needs: [], of: (before: Before): Prepared<AgentsBefore> => before.agents },
} as const satisfies Record<string, { needs: readonly Need[]; of: (before: Before) => Prepared<unknown> }>;

interface Parts {
  readonly grants: GrantsBefore;
  readonly agents: AgentsBefore;
}

/** Something that a target has acknowledged, and what must be so of it in its next life. */
interface Acknowledged<Part extends keyof Parts, Item, Answer> {
  readonly requirement: string;
  /** Begins with what was acknowledged, and ends before `LIFE`. */
  readonly claim: string;
  /** A restart alone when left out. */
  readonly unlockedBy?: "restart" | "restart_with_dashboard";
  itemsOf(before: Parts[Part]): readonly Item[];
  /** Shows that what the item belongs to is known, so that the answer is about the item. */
  control?(target: Target, life: Life, before: Parts[Part]): Promise<unknown>;
  use(
    target: Target,
    item: Item,
    context: { readonly life: Life; readonly before: Parts[Part] },
  ): Promise<Answer>;
  expect(answer: Answer): void;
}

/** The material of the former life. @throws what kept it from being made */
export async function beforeOf<Part extends keyof Parts>(
  target: Target,
  life: Life,
  part: Part,
): Promise<Parts[Part]> {
  const { of } = partOf[part] as { of: (before: Before) => Prepared<Parts[Part]> };
  return requirePrepared(of(await endings[life](target)));
}

/** A check after a restart, and one after a kill. */
export function inBothLives<Part extends keyof Parts, Item, Answer>(
  part: Part,
  {
    requirement,
    claim,
    unlockedBy = "restart",
    itemsOf,
    control,
    use,
    expect,
  }: Acknowledged<Part, Item, Answer>,
): Check[] {
  return (["restarted", "killed"] as const).map((life) =>
    check({
      id: `${requirement}/${life}`,
      claim: claim.replace("LIFE", lives[life]),
      needs: partOf[part].needs,
      unlockedBy,
      async act(target) {
        const before = await beforeOf(target, life, part);
        const items = itemsOf(before);
        if (items.length === 0)
          throw new InconclusiveError(
            "precondition-missing",
            `the target acknowledged nothing of the kind before ${lives[life]}`,
          );
        await control?.(target, life, before);
        const answers: Answer[] = [];
        for (const item of items) answers.push(await use(target, item, { life, before }));
        return answers;
      },
      assert(answers) {
        for (const answer of answers) expect(answer);
      },
    }),
  );
}
