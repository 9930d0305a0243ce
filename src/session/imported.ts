import type {Entry} from './entries.ts';
import type {SessionEventOf} from './events.ts';
import {List} from './list.ts';
import type {SessionState, TerminalState} from './state.ts';
import {noTerminals, unseenTerminal} from './terminals.ts';

/** What an export keeps of a terminal. */
export type ImportedTerminal = Pick<TerminalState, 'id' | 'runBy' | 'output' | 'truncated'> &
  Partial<Pick<TerminalState, 'command' | 'cwd' | 'screen' | 'exit'>>;

/** A conversation that was led elsewhere comes in whole; nobody goes on with it here. */
export function imported(
  state: SessionState,
  {title, entries, terminals}: SessionEventOf<'imported'>,
): SessionState {
  const kept = terminals.map((terminal) => [
    terminal.id,
    {...unseenTerminal(terminal.id, terminal.runBy), ...terminal, released: true},
  ]);
  return {
    ...state,
    connection: {kind: 'closed'},
    title,
    unused: false,
    entries: List.from(entries.map((entry, index): Entry => ({...finished(entry), id: String(index)}))),
    terminals: Object.assign(noTerminals(), Object.fromEntries(kept)),
  };
}

function finished(entry: Entry): Entry {
  return 'complete' in entry ? {...entry, complete: true} : entry;
}
