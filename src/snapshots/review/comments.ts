import {isDeepStrictEqual} from 'node:util';
import type {CommentChange, ReviewComment} from '../../session/review.ts';
import type {SentComment} from '../../session/content/sent-comment.ts';
import {unescapeHidden} from '../../text/hidden.ts';
import {readBlobs, type SnapshotRepository} from '../repository.ts';
import {listSnapshots} from '../snapshot-log.ts';
import {commentsFile} from './session-files.ts';

/** Opens the repository of a folder; undefined if snapshots are off. */
export type OpenRepository = () => Promise<SnapshotRepository | undefined>;

/** The agent's id. */
type OfSession = {readonly session: string};

export interface ReviewComments {
  /** Stores what a window has changed; what another one has added or removed meanwhile stays so. */
  readonly saveComments: (session: OfSession, change: CommentChange) => Promise<void>;
  /** Returns the ids of the comments whose hunks have changed, as of the newest stored snapshot. Never rejects. */
  readonly changedComments: (
    session: OfSession,
    comments: readonly SentComment[],
  ) => Promise<readonly string[]>;
}

interface Commenting extends ReviewComments {
  /** Returns the unsent comments. */
  readonly readComments: (repository: SnapshotRepository, session: string) => readonly ReviewComment[];
}

export function reviewComments(open: OpenRepository): Commenting {
  return {
    readComments: (repository, session) => commentsFile.read(repository, session),
    async saveComments({session}, {added, removed}) {
      const repository = await open();
      if (!repository) return;
      const stored = without(commentsFile.read(repository, session), removed);
      commentsFile.write(repository, session, [...stored, ...added]);
    },
    async changedComments({session}, comments) {
      if (comments.length === 0) return [];
      try {
        const repository = await open();
        const newest = repository && (await listSnapshots(repository, session)).at(-1);
        return newest ? await changedIn(repository, newest.id, comments) : [];
      } catch {
        // They stay unmarked until a later turn.
        return [];
      }
    },
  };
}

function without(all: readonly ReviewComment[], some: readonly ReviewComment[]): readonly ReviewComment[] {
  return all.filter((comment) => !some.some((each) => isDeepStrictEqual(each, comment)));
}

type Commented = Pick<SentComment, 'id' | 'path' | 'hunk'>;

/** Returns the ids of the comments whose hunks are different in a snapshot: their lines are no longer in the file together. */
async function changedIn(
  repository: SnapshotRepository,
  snapshot: string,
  comments: readonly Commented[],
): Promise<readonly string[]> {
  const paths = [...new Set(comments.map(({path}) => unescapeHidden(path)))];
  const listed = await repository.git(['ls-tree', '-z', '--full-tree', `${snapshot}:files`, '--', ...paths]);
  const blobs = new Map(
    Array.from(listed.toString('utf8').matchAll(/\d+ blob (\w+)\t([^\0]+)\0/g), ([, id = '', path = '']) => [
      path,
      id,
    ]),
  );
  const read = readBlobs(repository, [...blobs.values()]);
  const changed = await Promise.all(
    comments.map(async (comment) => {
      const path = unescapeHidden(comment.path);
      // Such a name cannot be looked up.
      if (path.includes('\uFFFD')) return false;
      const blob = blobs.get(path);
      return hasChanged(comment, blob === undefined ? undefined : (await read(blob)).toString('utf8'));
    }),
  );
  return comments.filter((_, index) => changed[index]).map(({id}) => id);
}

/** `content` is undefined for no file. A hunk that only removes lines changes when they are back: of a long one, the rest was not sent. */
function hasChanged({hunk}: Commented, content: string | undefined): boolean {
  const left = hunk.filter((line) => /^[ +]/.test(line));
  const lines = left.length > 0 ? left : hunk.filter((line) => line.startsWith('-'));
  const text = lines.map((line) => unescapeHidden(line).slice(1)).join('\n');
  const isThere = content !== undefined && `\n${content}\n`.includes(`\n${text}\n`);
  return left.length > 0 ? !isThere : isThere;
}
