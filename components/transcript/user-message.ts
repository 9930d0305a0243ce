import type * as acp from '@agentclientprotocol/sdk/unstable';
import {attachedLabel} from '../../src/session/queue/attachments.ts';
import type {UserMessageEntry} from '../../src/session/entries.ts';
import {attachmentLabel} from '../../src/session/labels/labels.ts';
import {commentIn, commentPlace, isCommentedHunk} from '../../src/session/content/comment-blocks.ts';
import type {SentComment} from '../../src/session/content/sent-comment.ts';
import {withPlaceholders} from '../../src/session/content/pasted-text.ts';
import {isHidden} from '../../src/session/transcript/content.ts';
import {sanitize, sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Theme} from '../theme/theme.tsx';
import {narrow, wrapHead, wrapHanging, indent, onSurface} from '../layout/lines.ts';
import {rowsOfPicture} from './picture.ts';

/** A longer prompt is folded in the chat. */
const MAX_PROMPT_LINES = 40;

/** Returns the rows of a user message with a bar and a background: landmarks when scrolling. */
export function rowsOfUserMessage(entry: UserMessageEntry, theme: Theme): string[] {
  const inner = narrow(theme);
  const lines = entry.content
    .filter((block) => !isHidden(block) && !isCommentedHunk(block))
    .flatMap((block) => rowsOfOwnBlock(block, inner));
  const bar = theme.paint.accent(theme.symbols.user);
  if (theme.isLinear) return [`${bar} ${lines.join('\n')}`];
  return onSurface(
    lines.map((line) => `${bar} ${theme.paint.user(line)}`.trimEnd()),
    theme,
  );
}

function rowsOfOwnBlock(block: acp.ContentBlock, theme: Theme): readonly string[] {
  const comment = commentIn(block);
  if (comment) return rowsOfComment(comment, theme);
  const attached = attachedLabel(block);
  if (attached !== undefined) return [truncate(`[${sanitizeLine(attached)}]`, theme.columns)];
  if (block.type === 'text') {
    const text = theme.extent === 'folded' ? withPlaceholders(block) : block.text;
    return wrapHead(text.trimEnd(), MAX_PROMPT_LINES, theme);
  }
  const name = theme.paint.link(truncate(attachmentLabel(block, theme.cwd), theme.columns));
  return [name, ...rowsOfPicture(block, theme)];
}

/** Returns the rows of a sent comment: ticked if the lines that it is about have changed. */
function rowsOfComment(comment: SentComment, theme: Theme): readonly string[] {
  const {symbols, paint} = theme;
  const [sign, remark] = comment.hasChanged ? [symbols.done, ' · changed since'] : [symbols.pending, ''];
  const quoted = comment.quote.map((line) => paint.dim(truncate(sanitizeLine(line), narrow(theme).columns)));
  const text = wrapHead(sanitize(comment.text), MAX_PROMPT_LINES, narrow(theme));
  return [
    ...wrapHanging(sign, `${sanitizeLine(commentPlace(comment))}${remark}`, theme),
    ...indent([...quoted, ...text]),
  ];
}
