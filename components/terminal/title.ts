import type {AppState} from '../../src/app/state.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';

const MOST_COLUMNS = 80;

/** Keeps the title that the terminal has, and brings it back. */
export const pushTitle = '\x1b[22;2t';
export const popTitle = '\x1b[23;2t';

/** The sequence that sets the terminal's title. */
export function setTitle(title: string): string {
  // Nothing that an agent sends may end the sequence and begin another.
  const clean = sanitizeLine(title).replace(/[\x00-\x1f\x7f-\x9f]/g, '');
  return `\x1b]2;${truncate(clean, MOST_COLUMNS)}\x07`;
}

/** What the title says: the state first, since tabs are narrow. */
export function titleOf(state: AppState): string {
  const open = state.sessions[state.active];
  if (open === undefined) return 'acp-tui';
  const {session} = open;
  const name = session.title ?? session.agent?.title ?? session.agent?.name ?? open.agentLabel;
  if (session.pending.length > 0) return `? ${name}`;
  return session.turn.kind === 'idle' ? name : `* ${name}`;
}
