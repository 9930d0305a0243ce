import {createHash} from 'node:crypto';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {ReviewComment} from '../../session/review.ts';
import {replaceFile, textIfAny} from '../../storage/files.ts';
import type {SnapshotRepository} from '../repository.ts';

const comments = z.array(
  z.object({
    path: z.string(),
    side: z.enum(['old', 'new']),
    line: z.number(),
    lastLine: z.number(),
    quote: z.array(z.string()),
    text: z.string(),
  }),
);

const MAX_BYTES = 16 * 1024 * 1024;

/** Returns the unsent comments of a session. */
export function readComments(repository: SnapshotRepository, session: string): readonly ReviewComment[] {
  const text = textIfAny(fileOf(repository, session), MAX_BYTES);
  try {
    return text === undefined ? [] : comments.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

export function writeComments(
  repository: SnapshotRepository,
  session: string,
  all: readonly ReviewComment[],
): void {
  const file = fileOf(repository, session);
  if (all.length === 0) rmSync(file, {force: true});
  else replaceFile(file, JSON.stringify(all));
}

/** Hashed, since an agent's id may be any text. */
function fileOf({gitDir}: SnapshotRepository, session: string): string {
  return join(gitDir, `comments-${createHash('sha256').update(session).digest('hex').slice(0, 24)}.json`);
}
