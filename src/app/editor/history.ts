/** Earlier prompts, newest last, without duplicates. */
export interface History {
  readonly project: readonly string[];
  /** Prompts of all other projects. */
  readonly everywhere: readonly string[];
}

export const emptyHistory: History = {project: [], everywhere: []};

/** The maximum number of prompts in each list. */
export const HISTORY_KEPT = 10_000;

/** Adds a sent (or cleared) prompt as the project's newest; removes an equal older one. Blank text is not added. */
export function addToHistory(history: History, text: string): History {
  if (text.trim() === '' || history.project.at(-1) === text) return history;
  const others = history.project.filter((entry) => entry !== text);
  return {...history, project: [...others.slice(1 - HISTORY_KEPT), text]};
}

const browsed = new WeakMap<History, readonly string[]>();

/** Returns the entries for ↑, newest last: the project's own prompts, before them those of all others. */
export function historyEntries(history: History): readonly string[] {
  let entries = browsed.get(history);
  if (!entries) {
    const own = new Set(history.project);
    entries = [...history.everywhere.filter((entry) => !own.has(entry)), ...history.project];
    browsed.set(history, entries);
  }
  return entries;
}
