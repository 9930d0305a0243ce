import * as z from 'zod/mini';

/** What has been typed and not been sent: the draft with its pastes in full, and the prompts that wait. */
export interface JournalState {
  readonly draft: string;
  readonly queue: readonly string[];
}

export const emptyJournal: JournalState = {draft: '', queue: []};

const schema = z.object({
  v: z.literal(1),
  cwd: z.string(),
  draft: z.string(),
  queue: z.array(z.string()),
});

export function isEmpty({draft, queue}: JournalState): boolean {
  return draft.trim() === '' && queue.length === 0;
}

/** What stands in a journal file; undefined when it is none, or a broken one. */
export function parseJournal(text: string): {readonly cwd: string; readonly state: JournalState} | undefined {
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const {cwd, draft, queue} = parsed.data;
  return {cwd, state: {draft, queue}};
}

export function journalText(cwd: string, {draft, queue}: JournalState): string {
  return JSON.stringify({v: 1, cwd, draft, queue});
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
