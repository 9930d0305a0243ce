import {compactNumber, pluralize} from '../../text/format.ts';
import {perform, type HandoffPart} from '../effects.ts';
import {pickerOf, type ListItem} from '../pickers/picker.ts';
import type {Picker, Tab} from '../state.ts';
import {handedOver} from './handoff-summary.ts';

/** Returns the list of what another agent gets of the conversation. */
export function handoffPicker({key, session, agentLabel}: Tab, agent: string): Picker {
  const whole = handedOver(session);
  const item = (part: HandoffPart, label: string, description: string): ListItem => ({
    id: String(part),
    label,
    description,
    choose: () => perform({kind: 'hand_off', key, agent, part}),
  });
  const last = [1, 5].flatMap((turns) => {
    const text = handedOver(session, turns);
    return text === whole
      ? []
      : [item(turns, `The last ${pluralize(turns, 'turn').replace(/^1 /, '')}`, size(text))];
  });
  const by = session.agent?.title ?? session.agent?.name ?? agentLabel;
  return pickerOf({
    purpose: {kind: 'list'},
    title: `Continue with ${agent}: what does it get?`,
    note: 'A new session of the same folder, with the title of this one, which stays in /resume. Nothing is sent until you send it there.',
    items: [
      item('all', 'The conversation', size(whole)),
      ...last,
      item('summary', `A summary that ${by} writes`, 'sends it a prompt first'),
    ],
  });
}

function size(text: string): string {
  return `${compactNumber(text.length)} characters`;
}
