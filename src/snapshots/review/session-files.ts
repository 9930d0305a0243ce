import {createHash} from 'node:crypto';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {ReviewComment} from '../../session/review.ts';
import {replaceFile, textIfAny} from '../../storage/files.ts';
import type {SnapshotRepository} from '../repository.ts';
import {restoreStep} from '../restore-journal.ts';

/** What a review keeps of a session beside its snapshots: a list in a file of its own. */
interface SessionFile<Item> {
  /** Returns the list; empty where there is none, and where it cannot be read. */
  read(repository: SnapshotRepository, session: string): readonly Item[];
  write(repository: SnapshotRepository, session: string, items: readonly Item[]): void;
}

const MAX_BYTES = 16 * 1024 * 1024;

function sessionFile<Item>(name: string, items: z.ZodMiniType<Item[]>): SessionFile<Item> {
  // An agent's id may be any text.
  const fileOf = ({gitDir}: SnapshotRepository, session: string) =>
    join(gitDir, `${name}-${createHash('sha256').update(session).digest('hex').slice(0, 24)}.json`);
  return {
    read(repository, session) {
      const text = textIfAny(fileOf(repository, session), MAX_BYTES);
      try {
        return text === undefined ? [] : items.parse(JSON.parse(text));
      } catch {
        return [];
      }
    },
    write(repository, session, all) {
      const file = fileOf(repository, session);
      if (all.length === 0) rmSync(file, {force: true});
      else replaceFile(file, JSON.stringify(all));
    },
  };
}

const comment = z.object({
  path: z.string(),
  side: z.enum(['old', 'new']),
  line: z.number(),
  lastLine: z.number(),
  quote: z.array(z.string()),
  text: z.string(),
});

/** The comments that were not sent. */
export const commentsFile: SessionFile<ReviewComment> = sessionFile('comments', z.array(comment));

const name = z.string();
const reviewed = z.discriminatedUnion('kind', [
  /** The ids of what was accepted before and after. */
  z.object({kind: z.literal('accept'), name, before: z.string(), after: z.string()}),
  z.object({kind: z.literal('revert'), name, steps: z.array(restoreStep)}),
]);
/** What was accepted or reverted, and how to take it back. */
export type Reviewed = z.infer<typeof reviewed>;

/** What can be taken back, oldest first. */
export const reviewedFile: SessionFile<Reviewed> = sessionFile('reviewed', z.array(reviewed));
