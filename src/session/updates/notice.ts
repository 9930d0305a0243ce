import type {UpdateOf} from '../events.ts';
import type {SessionState} from '../state.ts';
import {appendEntry} from '../transcript.ts';

export function notice(
  state: SessionState,
  {severity, title, description}: UpdateOf<'notice'>,
  at: number,
): SessionState {
  const level = severity === 'error' || severity === 'warning' ? severity : 'info';
  const text = description ? `${title}\n${description}` : title;
  return appendEntry(state, {type: 'notice', level, text, source: 'agent'}, at);
}
