import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Restored, SessionEvent} from '../../session/events.ts';
import {commentBlocks} from '../../session/content/comment-blocks.ts';
import type {SessionState} from '../../session/state.ts';
import type {OpenSession} from '../state.ts';
import type {PromptAttachment, RestoreNote} from './queued-prompt.ts';
import {outputBlock, outputLabel, outputNotice} from './shell-commands.ts';
import {counted} from '../../text/format.ts';

/** Only the newest are kept; a longer sentence is cut. */
const MAX_SENTENCES = 50;
const MAX_SENTENCE_LENGTH = 2000;

/** Adds a note on what the user restored to the next prompt, without what was undone again. */
export function withRestored(open: OpenSession, event: SessionEvent): OpenSession {
  if (event.type !== 'notice' || !event.restored) return open;
  const before = open.outputs.filter(isRestoreNote).flatMap((each) => each.sentences);
  const sentences = sentencesAfter(before, event.restored);
  const others = open.outputs.filter((each) => !isRestoreNote(each));
  const note: RestoreNote = {id: 'restored', sentences};
  return {...open, outputs: sentences.length === 0 ? others : [...others, note]};
}

function sentencesAfter(before: readonly string[], {sentence, undoes}: Restored): readonly string[] {
  const cut = (text: string) =>
    text.length > MAX_SENTENCE_LENGTH ? `${text.slice(0, MAX_SENTENCE_LENGTH)}…` : text;
  const at = undoes === undefined ? -1 : before.lastIndexOf(cut(undoes));
  return at === -1 ? [...before, cut(sentence)].slice(-MAX_SENTENCES) : before.toSpliced(at, 1);
}

function isRestoreNote(attachment: PromptAttachment): attachment is RestoreNote {
  return attachment.id === 'restored' && 'sentences' in attachment;
}

/** The key in a block's `_meta` that labels it, for the transcript. */
const META_KEY = 'acp-tui/restored';
const HEADING =
  'Since your last turn I took back changes in the files. Read them again before you edit them.';

/** Returns the content blocks of a prompt's attachments. */
export function attachmentBlocks(
  attachments: readonly PromptAttachment[],
  session: Pick<SessionState, 'cwd' | 'agent'>,
): readonly acp.ContentBlock[] {
  return attachments.flatMap((each) => {
    if ('comments' in each) return each.comments.flatMap((comment) => commentBlocks(comment, session));
    return 'sentences' in each ? restoreBlock(each) : outputBlock(each);
  });
}

function restoreBlock(attachment: RestoreNote): acp.ContentBlock {
  const lines = attachment.sentences.map((sentence) => `- ${sentence}`);
  const _meta = {[META_KEY]: attachmentLabel(attachment)};
  return {type: 'text', text: [HEADING, ...lines].join('\n'), _meta};
}

/** Returns the label of a prompt's attachment: `output of npm test, exit code 1, 34 lines`. */
export function attachmentLabel(attachment: PromptAttachment): string {
  if ('comments' in attachment) return counted(attachment.comments.length, 'comment');
  if (!isRestoreNote(attachment)) return `output of ${outputLabel(attachment)}`;
  const {length} = attachment.sentences;
  return `what you restored, ${counted(length, 'change')}`;
}

/** Returns the label of a block that was attached; undefined for other blocks. */
export function attachedLabel(block: {readonly _meta?: Record<string, unknown> | null}): string | undefined {
  const output = outputNotice(block);
  if (output !== undefined) return `output of ${output}`;
  const label = block._meta?.[META_KEY];
  return typeof label === 'string' ? label : undefined;
}
