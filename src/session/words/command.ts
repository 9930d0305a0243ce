import {sanitizeLine} from '../../text/sanitize.ts';
import type {ToolCallEntry} from '../entries.ts';
import type {SessionState} from '../state.ts';

/** The command that is run, on one line, where the title is only the agent's summary of it and no terminal of the call says it. */
export function commandWords(
  {kind, title, rawInput, content}: ToolCallEntry,
  terminals: SessionState['terminals'],
): string | undefined {
  if (kind !== 'execute' || typeof rawInput !== 'object' || rawInput === null) return undefined;
  const {command} = rawInput as {readonly command?: unknown};
  const text = Array.isArray(command) ? command.join(' ') : command;
  if (typeof text !== 'string' || text.trim() === '' || title.includes(text)) return undefined;
  const isSaid = content.some((item) => item.type === 'terminal' && terminals[item.terminalId]?.command);
  return isSaid ? undefined : sanitizeLine(text);
}
