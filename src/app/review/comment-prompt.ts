import type {ReviewComment} from '../../session/review.ts';
import {unescapeHidden} from '../../text/hidden.ts';

/** Returns the comments of a review as a prompt: each with its location and the quoted lines. */
export function commentPrompt(comments: readonly ReviewComment[]): string {
  const ordered = comments.toSorted((one, other) =>
    one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1,
  );
  const title = comments.length === 1 ? 'A comment on your changes:' : 'Comments on your changes:';
  return [title, ...ordered.map(commentText)].join('\n\n');
}

function commentText({path, side, line, lastLine, quote, text}: ReviewComment): string {
  const lines = line === lastLine ? String(line) : `${line}-${lastLine}`;
  const before = side === 'old' ? ' (before the change)' : '';
  const code = quote.map((each) => unescapeHidden(each)).join('\n');
  const fence = '`'.repeat(Math.max(3, ...Array.from(code.matchAll(/`+/g), ([ticks]) => ticks.length + 1)));
  return `${unescapeHidden(path)}:${lines}${before}\n${fence}diff\n${code}\n${fence}\n${text}`;
}
