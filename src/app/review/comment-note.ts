import type {Review, ReviewComment} from '../../session/review.ts';
import type {SentComment} from '../../session/content/comment-blocks.ts';
import type {CommentNote} from '../queue/queued-prompt.ts';
import {isAbout, linesOf} from './review-view.ts';

/** Number of lines of a hunk before and after the commented ones that are sent. */
const MAX_AROUND = 20;

/** Returns the comments of a review as an attachment of a prompt, ordered by their places. */
export function commentNote({comments, files}: Pick<Review, 'comments' | 'files'>, id: string): CommentNote {
  const ordered = comments.toSorted((one, other) =>
    one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1,
  );
  const sent = ordered.map((comment, index): SentComment => {
    const file = files.find(({path}) => path === comment.path);
    return sentComment(comment, `${id}-${index}`, hunkOf(comment, file));
  });
  return {id, comments: sent};
}

function sentComment(comment: ReviewComment, id: string, hunk: SentComment['hunk']): SentComment {
  return {...comment, id, hunk};
}

/** Returns the part of the hunk around a comment; only its own lines if they have changed since. */
function hunkOf(comment: ReviewComment, file: Review['files'][number] | undefined): readonly string[] {
  const last = linesOf(file).find((line) => isAbout(comment, comment.path, line));
  if (!last) return comment.quote;
  const first = last.index - comment.quote.length + 1;
  return last.hunk.lines.slice(Math.max(0, first - MAX_AROUND), last.index + 1 + MAX_AROUND);
}
