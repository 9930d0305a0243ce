import {isIdle} from '../../session/selectors.ts';
import {fold} from '../effects.ts';
import {hint} from '../hints.ts';
import type {Command, CommandCall} from './command.ts';

export const retry: Command = {
  name: 'retry',
  description: 'Send the last prompt again',
  unavailable({session, sending, lastPrompt}) {
    if (!lastPrompt) return 'Nothing was sent yet.';
    return isIdle(session) && !sending ? undefined : 'The turn still runs; Esc cancels it.';
  },
  run: sendAgain,
};

/** One that could not be sent waits at the front already: it is not sent twice. */
function sendAgain({open: {key, queue, lastPrompt, cutOff}, at}: CommandCall) {
  if (cutOff) return fold({type: 'cut_off_settled', key, to: 'agent'});
  if (!lastPrompt) return hint('Nothing was sent yet.', at);
  return queue[0]?.id === lastPrompt.id
    ? fold({type: 'queue_resumed', key})
    : fold({
        type: 'prompt_submitted',
        key,
        text: lastPrompt.text,
        files: lastPrompt.files ?? [],
        outputs: lastPrompt.outputs ?? [],
        place: 'first',
      });
}
