import type * as acp from '@agentclientprotocol/sdk/unstable';
import {codeFence} from '../../text/format.ts';
import {unescapeHidden} from '../../text/hidden.ts';
import type {SessionState} from '../state.ts';
import {changeEntries} from '../transcript/transcript.ts';
import {sentComment, type SentComment} from './sent-comment.ts';

/** The key in a block's `_meta` with the comment, for the transcript. */
const META_KEY = 'acp-tui/comment';
const HUNK = 'hunk';

/** Where the comment is: `src/session.ts:12-14 (before the change)`. */
export function commentPlace({
  path,
  side,
  line,
  lastLine,
}: Pick<SentComment, 'path' | 'side' | 'line' | 'lastLine'>): string {
  const lines = line === lastLine ? String(line) : `${line}-${lastLine}`;
  return `${path}:${lines}${side === 'old' ? ' (before the change)' : ''}`;
}

/** Returns the content blocks of a comment: the hunk is embedded if the agent accepts that ("Content"), otherwise part of the text. */
export function commentBlocks(
  comment: SentComment,
  {cwd, agent}: Pick<SessionState, 'cwd' | 'agent'>,
): readonly acp.ContentBlock[] {
  const place = unescapeHidden(commentPlace(comment));
  const hunk = comment.hunk.map(unescapeHidden).join('\n');
  const _meta = {[META_KEY]: comment};
  if (!agent?.capabilities.promptCapabilities?.embeddedContext)
    return [{type: 'text', text: `\n${place}\n${codeFence(hunk, 'diff')}\n${comment.text}\n`, _meta}];
  const file = `${cwd}/${unescapeHidden(comment.path)}`.split('/').map(encodeURIComponent).join('/');
  const uri = `file://${file}#L${comment.line}:${comment.lastLine}`;
  const resource = {uri, mimeType: 'text/x-diff', text: hunk};
  return [
    {type: 'text', text: `\n${place}\n${comment.text}\n`, _meta},
    {type: 'resource', resource, _meta: {[META_KEY]: HUNK}},
  ];
}

/** Returns the comment in a block of a prompt; undefined for other blocks. */
export function commentIn({_meta}: Pick<acp.ContentBlock, '_meta'>): SentComment | undefined {
  return sentComment.safeParse(_meta?.[META_KEY]).data;
}

/** True for the block of a comment's hunk. */
export function isCommentedHunk({_meta}: Pick<acp.ContentBlock, '_meta'>): boolean {
  return _meta?.[META_KEY] === HUNK;
}

/** Returns the comments that were sent, except those whose lines have changed since. */
export function openComments({entries}: Pick<SessionState, 'entries'>): readonly SentComment[] {
  return entries
    .filter((entry) => entry.type === 'user_message')
    .flatMap((entry) => (entry.type === 'user_message' ? entry.content : []))
    .flatMap((block) => commentIn(block) ?? [])
    .filter(({hasChanged}) => !hasChanged);
}

/** Marks comments whose lines have changed, by id. */
export function withChangedComments(state: SessionState, ids: readonly string[]): SessionState {
  if (ids.length === 0) return state;
  const mark = (block: acp.ContentBlock): acp.ContentBlock => {
    const comment = commentIn(block);
    if (!comment || !ids.includes(comment.id)) return block;
    return {...block, _meta: {...block._meta, [META_KEY]: {...comment, hasChanged: true}}};
  };
  return changeEntries(state, 0, (entry) => {
    const isConcerned =
      entry.type === 'user_message' &&
      entry.content.some((block) => ids.includes(commentIn(block)?.id ?? ''));
    return isConcerned ? {...entry, content: entry.content.map(mark)} : entry;
  });
}
