import {
  detailOf,
  processNames,
  findingsText,
  directionSign,
  timeOf,
  titleOf,
  type Finding,
  type FindingsOf,
  fullText,
} from '../../recording/describe.ts';
import {sessionIdOf, type Exchange} from '../../recording/exchanges.ts';
import {subagentName} from '../../session/subagents/names.ts';
import {sanitize, sanitizeLine} from '../../text/sanitize.ts';
import {perform} from '../effects.ts';
import {page, type Page} from './pages.ts';
import {pickerOf} from '../pickers/picker.ts';
import type {AppState, Picker} from '../state.ts';
import {sessionName} from '../open-sessions.ts';

/** Returns the name of an exchange's session; undefined if there is none. */
type SessionOf = (exchange: Exchange) => string | undefined;

/** Returns the protocol log as a picker, with the newest message selected. With several agents, each message names its own. */
export function wirePicker(
  exchanges: readonly Exchange[],
  findingsOf: FindingsOf,
  sessionOf: SessionOf = () => undefined,
): Picker {
  const names = processNames(exchanges);
  const items = exchanges.map((exchange) => ({
    id: String(exchange.index),
    label: [names.get(exchange.run), timeOf(exchange), directionSign(exchange), titleOf(exchange)]
      .filter(Boolean)
      .join(' '),
    description: [sessionOf(exchange), detailOf(exchange), findingsText(findingsOf(exchange))]
      .filter(Boolean)
      .join(' · '),
    choose: () => perform({kind: 'show_exchange', index: exchange.index}),
    keepsOpen: true,
  }));
  const picker = pickerOf({purpose: {kind: 'wire'}, title: 'Protocol log', items});
  return {...picker, selected: Math.max(0, items.length - 1)};
}

/** Returns the session name of each exchange; none if all belong to one session. */
export function createSessionNames(
  exchanges: readonly Exchange[],
  {sessions}: Pick<AppState, 'sessions'>,
): SessionOf {
  const ids = new Set(exchanges.flatMap((exchange) => sessionIdOf(exchange) ?? []));
  const names = new Map([...ids].map((id) => [id, nameOfId(id, sessions)] as const));
  return (exchange) => (ids.size > 1 ? names.get(sessionIdOf(exchange) ?? '') : undefined);
}

/** Returns a session's name, for a subagent with its parent's; the id if it is not open. */
function nameOfId(id: string, sessions: AppState['sessions']): string {
  for (const {key, session} of Object.values(sessions)) {
    const name = sessionName({sessions}, key);
    if (session.sessionId === id) return name;
    if (session.subagents[id]) return `${subagentName(session, id)}, ${name}`;
  }
  return sanitizeLine(id);
}

/** Returns a page with a whole message; closing it returns to the list. */
export function exchangePage(exchange: Exchange, findings: readonly Finding[], over: Picker): Page {
  return {...page(titleOf(exchange), sanitize(fullText(exchange, findings))), over};
}
