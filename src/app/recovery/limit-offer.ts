import {limitTime} from '../../session/queue/provider-limit.ts';
import type {QueueState} from '../../session/queue/queue.ts';
import {callAction, combine} from '../effects.ts';
import {pickerOf, type ListItem, type PickerSelection} from '../pickers/picker.ts';
import type {Picker} from '../state.ts';

/** Returns the options for a prompt that failed at a limit of the agent's provider; undefined if there is none whose end is known, or it is waited for. */
export function limitOffer({limit, prompts}: QueueState): Picker | undefined {
  if (!limit?.prompt || limit.isAwaited) return undefined;
  const time = limitTime(limit);
  const wait = `Wait until ${time} and send again`;
  const following = prompts.length > 0 ? 'Queued prompts follow.' : undefined;
  const resume: ListItem = {
    id: 'resume',
    label: 'Continue with the queue',
    choose: ({tab: {key}}) => callAction(key, 'changeQueue', {kind: 'resume'}),
  };
  return pickerOf({
    purpose: {kind: 'recovery'},
    title: `The provider's limit ends at ${time}`,
    hint: wait,
    items: [
      {id: 'wait', label: wait, description: following, choose: awaitLimit},
      {
        id: 'send_again',
        label: 'Send again now',
        description: following,
        choose: (selection) => combine(awaitLimit(selection), endWait(selection)),
      },
      ...(prompts.length > 0 ? [resume] : []),
      {id: 'stay', label: 'Stay here', description: 'Send an empty prompt to see this again.'},
    ],
  });
}

function awaitLimit({tab: {key}}: PickerSelection) {
  return callAction(key, 'changeQueue', {kind: 'await_limit', isAwaited: true});
}

function endWait({tab: {key}}: PickerSelection) {
  return callAction(key, 'changeQueue', {kind: 'limit_over'});
}
