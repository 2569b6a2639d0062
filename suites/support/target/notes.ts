/** What checks leave for those that look at the whole run. */
export interface Topic<Item> {
  readonly name: string;
  /** Ties the item's type to the topic; never set. */
  readonly item?: Item;
}

export interface Notes {
  note<Item>(topic: Topic<Item>, item: Item): void;
  noted<Item>(topic: Topic<Item>): readonly Item[];
  clear(): void;
}

export function createNotes(): Notes {
  const notes = new Map<string, unknown[]>();

  function notesOn(name: string): unknown[] {
    const items = notes.get(name) ?? [];
    notes.set(name, items);
    return items;
  }

  return {
    note: (topic, item) => void notesOn(topic.name).push(item),
    // The topic belongs to one caller, which is what ties the type to it.
    noted: <Item>(topic: Topic<Item>) => notesOn(topic.name) as readonly Item[],
    clear: () => notes.clear(),
  };
}
