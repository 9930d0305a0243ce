import type {Entry} from '../session/entries.ts';
import type {TerminalState} from '../session/state.ts';
import {IdMap} from '../session/terminals/id-map.ts';
import type {TerminalRow, TerminalScreen} from '../session/terminals/terminal-screen.ts';
import type {SessionDocument, SubagentDocument} from './document.ts';
import {neverYield} from './format.ts';

/** Masks apparent credentials in a text. */
export type Mask = (text: string) => string;

/** Returns the document with every text masked; the name of a field counts, as in `"apiKey": "…"`. */
export async function maskDocument(
  document: SessionDocument,
  mask: Mask,
  pace = neverYield,
): Promise<SessionDocument> {
  const entries: Entry[] = [];
  for (const entry of document.entries) {
    entries.push(maskDeep(entry, mask));
    await pace();
  }
  const masked: TerminalState[] = [];
  for (const terminal of document.terminals) {
    masked.push(maskTerminal(terminal, mask));
    await pace();
  }
  const subagents = new Map<string, SubagentDocument>();
  for (const [id, subagent] of document.subagents) {
    subagents.set(id, maskDeep(subagent, mask));
    await pace();
  }
  return {
    ...document,
    facts: maskDeep(document.facts, mask),
    entries,
    subagents,
    terminals: IdMap.from(masked),
    masked: true,
  };
}

/** Ids that must stay equal everywhere in the document. */
const LINKS: ReadonlySet<string> = new Set([
  'id',
  'parent',
  'sessionId',
  'sender',
  'recipient',
  'toolCallId',
  'terminalId',
  'messageId',
  'planId',
]);

function maskDeep<T>(value: T, mask: Mask, key = ''): T {
  if (typeof value === 'string') return maskString(value, mask, key) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => maskDeep(item, mask, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, maskDeep(item as unknown, mask, name)]),
  ) as T;
}

function maskString(text: string, mask: Mask, key: string): string {
  if (LINKS.has(key) || text === '') return text;
  const masked = mask(text);
  if (masked !== text) return masked;
  // As in JSON: the name may mark the value as secret.
  const line = `"${key}": "x"`;
  return key !== '' && mask(line) !== line ? mask(line).slice(key.length + 5, -1) : text;
}

function maskTerminal(terminal: TerminalState, mask: Mask): TerminalState {
  const {screen, ...rest} = terminal;
  return {...maskDeep({...rest, carry: ''}, mask), screen: screen && maskScreen(screen, mask)};
}

/** A secret may span colors and rows. Rows with one lose their colors. */
function maskScreen(screen: TerminalScreen, mask: Mask): TerminalScreen {
  const texts = screen.rows.map(textOf);
  const whole = texts.join('\n');
  const masked = mask(whole);
  if (masked === whole) return screen;
  const lines = masked.split('\n');
  const isAligned = lines.length === texts.length;
  const rows = lines.map((line, index): TerminalRow => {
    const row = screen.rows[index];
    if (isAligned && row && line === texts[index]) return row;
    return line === '' ? [] : [{text: line}];
  });
  return {...screen, rows};
}

function textOf(row: TerminalRow): string {
  return row.map(({text}) => text).join('');
}
