import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProcessExit} from '../../shared/failure.ts';
import {pluralize} from '../../text/format.ts';
import {endOfText} from '../../text/truncate.ts';
import {commentBlocks} from '../content/comment-blocks.ts';
import type {RestoreReport} from '../events.ts';
import type {SessionState, TerminalState} from '../state.ts';
import {outputBlock, outputLabel, outputNotice} from './command-output.ts';
import type {QueueState} from './queue.ts';
import type {PromptAttachment, RestoreNote} from './queued-prompt.ts';

/** The maximum length of an attached output in UTF-16 units; the end is kept. */
export const MAX_OUTPUT_LENGTH = 16 * 1024;
/** Maximum number of attached outputs; the newest are kept. */
const MAX_OUTPUTS = 8;

/** Attaches the output of a user's command that has exited to the next prompt; nothing if it succeeded without output. */
export function withCommandOutput(
  queue: QueueState,
  terminal: TerminalState | undefined,
  exit: ProcessExit,
): QueueState {
  if (terminal?.runBy !== 'user' || terminal.command === undefined) return queue;
  const whole = terminal.output.trimEnd();
  if (whole.trim() === '' && exit.code === 0) return queue;
  const text = endOfText(whole, MAX_OUTPUT_LENGTH);
  const isCut = terminal.truncated || text.length < whole.length;
  const output = {id: terminal.id, command: terminal.command, exit, text, isCut};
  return {...queue, outputs: [...queue.outputs, output].slice(-MAX_OUTPUTS)};
}

/** Only the newest are kept; a longer sentence is cut. */
const MAX_SENTENCES = 50;
const MAX_SENTENCE_LENGTH = 2000;

/** Adds a note on what the user restored to the next prompt, without what was undone again. */
export function withRestoreNote(queue: QueueState, restored: RestoreReport): QueueState {
  const before = queue.outputs.filter(isRestoreNote).flatMap((each) => each.sentences);
  const sentences = sentencesAfter(before, restored);
  const others = queue.outputs.filter((each) => !isRestoreNote(each));
  const note: RestoreNote = {id: 'restored', sentences};
  return {...queue, outputs: sentences.length === 0 ? others : [...others, note]};
}

function sentencesAfter(before: readonly string[], {sentence, undoes}: RestoreReport): readonly string[] {
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
  if ('comments' in attachment) return pluralize(attachment.comments.length, 'comment');
  if (!isRestoreNote(attachment)) return `output of ${outputLabel(attachment)}`;
  const {length} = attachment.sentences;
  return `what you restored, ${pluralize(length, 'change')}`;
}

/** Returns the label of a block that was attached; undefined for other blocks. */
export function attachedLabel(block: {readonly _meta?: Record<string, unknown> | null}): string | undefined {
  const output = outputNotice(block);
  if (output !== undefined) return `output of ${output}`;
  const label = block._meta?.[META_KEY];
  return typeof label === 'string' ? label : undefined;
}
