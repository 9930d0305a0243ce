import {visibleText} from '../../session/transcript/content.ts';
import type {SessionState} from '../../session/state.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {pickerOf} from '../pickers/picker.ts';
import {prependToDraft} from '../editor/insert.ts';
import {deprioritized} from '../queue/queue.ts';
import type {AppEventOf} from '../events.ts';
import type {OpenSession, Picker} from '../state.ts';
import type {QueuedPrompt} from '../queue/queued-prompt.ts';

/** Ends of a turn caused by neither the agent nor the user. */
const CUTS: ReadonlySet<string> = new Set(['connection_lost', 'message_too_large', 'interrupted']);

/** Length of the prompt's preview, in UTF-16 units. */
const SHOWN = 200;

/** Returns the interrupted prompt of a stored session, as it was sent; undefined if its last turn ended, or is still running in the original session. */
export function interruptedPromptIn({entries, lastTurn}: SessionState): QueuedPrompt | undefined {
  if (lastTurn?.outcome.kind !== 'failed') return undefined;
  const {failure} = lastTurn.outcome;
  if (!CUTS.has(failure.kind) || (failure.kind === 'interrupted' && failure.stillRunning)) return undefined;
  const end = entries.findLastIndex(({type}) => type === 'turn_end');
  const start = entries.slice(0, end).findLastIndex(({type}) => type === 'turn_end') + 1;
  // Prompts that steered the turn come after its first one.
  const prompt = entries.slice(start, end).find((entry) => entry.type === 'user_message');
  return prompt && {id: 'cut-off', text: visibleText(prompt.content), content: prompt.content};
}

/** Returns the options for an interrupted prompt, which is never resent automatically. */
export function interruptedPromptOffer({text}: QueuedPrompt, waiting: number): Picker {
  const start = sanitizeLine(text.slice(0, SHOWN).replaceAll(/\s+/g, ' ')).trim();
  return pickerOf({
    purpose: {kind: 'recovery'},
    title: 'The last prompt was interrupted',
    note: `“${start}${text.length > SHOWN ? '…' : ''}” The agent may have done part of it.`,
    items: [
      {
        id: 'send_again',
        label: 'Resend it',
        description: waiting > 0 ? 'Queued prompts follow.' : undefined,
      },
      {id: 'change', label: 'Edit it first', description: 'It goes back into the prompt.'},
      {id: 'leave', label: 'Leave it'},
    ],
  });
}

/** Resolves an interrupted prompt: sends it and resumes the queue, returns it to the draft, or drops it. */
export function interruptedPromptResolved(
  open: OpenSession,
  to: AppEventOf<'interrupted_prompt_resolved'>['to'],
): OpenSession {
  const {interruptedPrompt: prompt, ...others} = open;
  if (!prompt) return open;
  const settled = {...others, interruptedPrompt: undefined};
  if (to === 'nowhere') return settled;
  if (to === 'agent')
    return {...settled, queue: [{...deprioritized(prompt), direct: true}, ...open.queue], queuePaused: false};
  return {
    ...settled,
    outputs: [...(prompt.outputs ?? []), ...open.outputs],
    draft: prependToDraft(open.draft, prompt.text, prompt.files),
  };
}
