import {sanitizeLine} from '../../text/sanitize.ts';
import type {QueuedPrompt} from '../../session/queue/queued-prompt.ts';
import {callAction, perform} from '../effects.ts';
import {pickerOf} from '../pickers/picker.ts';
import type {Picker} from '../state.ts';

/** Length of the prompt's preview, in UTF-16 units. */
const SHOWN = 200;

/** Returns the options for an interrupted prompt, which is never resent automatically. */
export function interruptedPromptOffer({id, text}: QueuedPrompt, waiting: number): Picker {
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
        choose: ({tab: {key}}) => callAction(key, 'changeQueue', {kind: 'resend_interrupted'}),
      },
      {
        id: 'change',
        label: 'Edit it first',
        description: 'It goes back into the prompt.',
        choose: ({tab: {key}}) => perform({kind: 'edit_unsent', key, id}),
      },
      {
        id: 'leave',
        label: 'Leave it',
        choose: ({tab: {key}}) => callAction(key, 'changeQueue', {kind: 'leave_interrupted'}),
      },
    ],
  });
}
