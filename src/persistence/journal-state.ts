import * as z from 'zod/mini';
import type {Unsent} from '../app/sessions.ts';
import {jsonOf} from '../text/json.ts';

/** What has been typed and not been sent: the draft with its pastes in full, the prompts that wait, and the files that go with them. */
export type JournalState = Unsent;

export const emptyJournal: JournalState = {draft: '', queue: []};

const attachment = z.object({
  path: z.string(),
  name: z.string(),
  kind: z.enum(['file', 'folder', 'image']),
  size: z.optional(z.number()),
  lines: z.optional(z.object({first: z.number(), last: z.number()})),
  isOurs: z.optional(z.boolean()),
});

const output = z.object({
  id: z.string(),
  command: z.string(),
  exit: z.object({code: z.nullable(z.number()), signal: z.nullable(z.string())}),
  text: z.string(),
  isCut: z.boolean(),
});

const schema = z.object({
  v: z.literal(1),
  cwd: z.string(),
  draft: z.string(),
  queue: z.array(z.string()),
  files: z.optional(z.object({draft: z.array(attachment), queue: z.array(z.array(attachment))})),
  outputs: z.optional(z.object({draft: z.array(output), queue: z.array(z.array(output))})),
});

export function isEmpty({draft, queue, outputs}: JournalState): boolean {
  return draft.trim() === '' && queue.length === 0 && !outputs;
}

/** What stands in a journal file; undefined when it is none, or a broken one. */
export function parseJournal(text: string): {readonly cwd: string; readonly state: JournalState} | undefined {
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const {cwd, draft, queue, files, outputs} = parsed.data;
  return {cwd, state: {draft, queue, ...(files && {files}), ...(outputs && {outputs})}};
}

export function journalText(cwd: string, {draft, queue, files, outputs}: JournalState): string {
  return JSON.stringify({v: 1, cwd, draft, queue, files, outputs});
}
