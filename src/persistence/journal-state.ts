import * as z from 'zod/mini';
import type {QueuedPrompt} from '../app/queue.ts';

/** What has been typed and not been sent: the draft with its pastes in full, and the prompts that wait. */
export interface JournalState {
  readonly draft: string;
  readonly queue: readonly QueuedPrompt[];
}

export const emptyJournal: JournalState = {draft: '', queue: []};

const schema = z.object({
  v: z.literal(1),
  cwd: z.string(),
  draft: z.string(),
  queue: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      content: z.array(z.looseObject({type: z.string()})),
    }),
  ),
});

export function isEmpty({draft, queue}: JournalState): boolean {
  return draft.trim() === '' && queue.length === 0;
}

/** What stands in a journal file; undefined when it is none, or a broken one. */
export function parseJournal(text: string): {readonly cwd: string; readonly state: JournalState} | undefined {
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const {cwd, draft} = parsed.data;
  // Content blocks are the SDK's types, and were ours when they were written.
  const queue = parsed.data.queue as unknown as readonly QueuedPrompt[];
  return {cwd, state: {draft, queue}};
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Turns states into text; a queue that has not changed is not turned again, since it may hold pictures. */
export function createJournalWriter(cwd: string): (state: JournalState) => string {
  const head = `{"v":1,"cwd":${JSON.stringify(cwd)}`;
  let queue: readonly QueuedPrompt[] = [];
  let queueText = '[]';
  return (state) => {
    if (state.queue !== queue) {
      queue = state.queue;
      queueText = JSON.stringify(queue.map(({id, text, content}) => ({id, text, content})));
    }
    return `${head},"draft":${JSON.stringify(state.draft)},"queue":${queueText}}`;
  };
}
