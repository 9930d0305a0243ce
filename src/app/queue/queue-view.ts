import {attachmentLabel} from '../../session/queue/attachments.ts';
import type {QueuedPrompt} from '../../session/queue/queued-prompt.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {draftText} from '../editor/draft.ts';
import {keyFor} from '../keymap/key-names.ts';
import {windowAround} from '../pages/scroll.ts';
import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';

/** What waits to be sent, as it is listed above the prompt: one line each. */
export interface QueueView {
  /** The number of queued prompts, where they are spoken; undefined without any. */
  readonly title: string | undefined;
  /** What stands before the prompts; undefined without any. */
  readonly label: string | undefined;
  /** True if the queue is paused: after a cancel, an error or a crash. */
  readonly isPaused: boolean;
  /** Some of the queued prompts, with the selected one. */
  readonly prompts: readonly {readonly id: string; readonly text: string; readonly isSelected: boolean}[];
  /** How many more there are. */
  readonly more: string | undefined;
  /** The stashed draft, with the key that restores it. */
  readonly stash: string | undefined;
  /** What is attached to the next prompt; the last line has the key that removes it. */
  readonly attached: readonly string[];
}

/** Maximum number of queued prompts shown; more while one is selected. */
const MAX_SHOWN = 3;
const MAX_SHOWN_SELECTED = 6;

export function queueView(state: AppState): QueueView {
  const {session, stash} = activeSession(state);
  const {prompts, isPaused, outputs} = session.queue;
  const selected = state.focus.kind === 'queue' ? state.focus.id : undefined;
  const at = prompts.findIndex(({id}) => id === selected);
  const most = selected === undefined ? MAX_SHOWN : MAX_SHOWN_SELECTED;
  const {from, to} = windowAround(Math.max(0, at), prompts.length, most);
  const left = prompts.length - (to - from);
  const removeKey = keyFor('delete_backward', state.keymap);
  return {
    title: prompts.length === 0 ? undefined : `${prompts.length} queued${isPaused ? ', paused' : ''}`,
    label: prompts.length === 0 ? undefined : isPaused ? 'paused' : 'then',
    isPaused,
    prompts: prompts.slice(from, to).map((prompt) => ({
      id: prompt.id,
      text: promptLine(prompt),
      isSelected: prompt.id === selected,
    })),
    more: left > 0 ? `… ${left} more` : undefined,
    stash:
      stash && `Stashed · ${keyFor('stash_draft', state.keymap)} restore · ${firstLine(draftText(stash))}`,
    attached: outputs.map((output, index) => {
      const how = index === outputs.length - 1 ? ` · ${removeKey} remove` : '';
      return `Attached: ${sanitizeLine(attachmentLabel(output))}${how}`;
    }),
  };
}

/** Returns the number of its lines. */
export function queueHeight({prompts, more, stash, attached}: QueueView): number {
  return prompts.length + Number(more !== undefined) + Number(stash !== undefined) + attached.length;
}

function promptLine({text, steering}: QueuedPrompt): string {
  const [line = '', next] = text.trim().split('\n', 2);
  return `${sanitizeLine(line)}${next === undefined ? '' : ' …'}${steering ? ' · sending' : ''}`;
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return sanitizeLine(line);
}
