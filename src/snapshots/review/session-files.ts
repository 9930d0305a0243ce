import {createHash} from 'node:crypto';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {ReviewComment} from '../../session/review.ts';
import {reviewComment} from '../../session/content/sent-comment.ts';
import {replaceFile} from '../../shared/files/safe-files.ts';
import {readJson} from '../../shared/files/json-file.ts';
import type {SnapshotRepository} from '../repository.ts';
import {restoreStep} from '../restore-journal.ts';

/** A list stored for a session's review, in its own file. */
interface SessionFile<Item> {
  /** Returns the list; empty if there is none, or it is unreadable. */
  read(repository: SnapshotRepository, session: string): readonly Item[];
  write(repository: SnapshotRepository, session: string, items: readonly Item[]): void;
}

function sessionFile<Item>(name: string, items: z.ZodMiniType<Item[]>): SessionFile<Item> {
  // Hashed, since an agent's id may be any text.
  const fileOf = ({gitDir}: SnapshotRepository, session: string) =>
    join(gitDir, `${name}-${createHash('sha256').update(session).digest('hex').slice(0, 24)}.json`);
  return {
    read: (repository, session) => readJson(fileOf(repository, session), items) ?? [],
    write(repository, session, all) {
      const file = fileOf(repository, session);
      if (all.length === 0) rmSync(file, {force: true});
      else replaceFile(file, JSON.stringify(all));
    },
  };
}

/** The unsent comments. */
export const commentsFile: SessionFile<ReviewComment> = sessionFile('comments', z.array(reviewComment()));

const name = z.string();
const reviewed = z.discriminatedUnion('kind', [
  /** The ids of the accepted state before and after. */
  z.object({kind: z.literal('accept'), name, before: z.string(), after: z.string()}),
  z.object({kind: z.literal('revert'), name, steps: z.array(restoreStep)}),
]);
/** An accept or revert, and how to undo it. */
export type ReviewAction = z.infer<typeof reviewed>;

/** The actions that can be undone, oldest first. */
export const reviewedFile: SessionFile<ReviewAction> = sessionFile('reviewed', z.array(reviewed));
