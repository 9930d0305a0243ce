import {visibleText} from '../../session/content.ts';
import type {Entry} from '../../session/entries.ts';
import {answerLines} from '../../session/words/elicitation.ts';
import type {List} from '../../session/list.ts';
import type {Sql} from '../database/sql.ts';
import type {PassageRole} from './stored-session.ts';

/** What can be found of one entry. */
interface Passage {
  readonly entry: number;
  readonly role: PassageRole;
  readonly at: number;
  readonly text: string;
}

/** What is longer cannot be found further on, in UTF-16 units. */
const LONGEST_PASSAGE = 100_000;

/** A title is no entry. */
export const TITLE_ENTRY = -1;

/** What of a transcript can be found: what was said, and what tools were called for. */
export function passagesOf(entries: List<Entry>, first: number, from: number): Passage[] {
  return entries.slice(from).flatMap((entry, offset) => {
    const found = roleAndText(entry);
    if (!found || found.text.trim() === '') return [];
    const text = found.text.slice(0, LONGEST_PASSAGE);
    return [{entry: from + offset - first, role: found.role, at: entry.at, text}];
  });
}

function roleAndText(entry: Entry): Pick<Passage, 'role' | 'text'> | undefined {
  switch (entry.type) {
    case 'user_message':
      return {role: 'user', text: visibleText(entry.content)};
    case 'agent_message':
      return {role: 'agent', text: visibleText(entry.content)};
    case 'tool_call':
      return {
        role: 'tool',
        text: [entry.title, ...entry.locations.map(({path}) => path)].join('\n'),
      };
    case 'elicitation':
      return {role: 'agent', text: [entry.message, ...answerLines(entry)].join('\n')};
    default:
      return undefined;
  }
}

/** Puts passages of a session into the index, in place of those of its entries from `from` on. */
export function savePassages(
  sql: Sql,
  {id, from}: {readonly id: string; readonly from: number},
  passages: readonly Passage[],
): void {
  const session = rowOf(sql, id)?.n;
  if (session === undefined) return;
  sql.run('DELETE FROM passages WHERE session = ? AND entry >= ?', session, from);
  for (const {entry, role, at, text} of passages) sql.run(INSERT, session, entry, role, at, text);
}

/** How many entries of a session the index knows, from the first one on. */
export function countIndexed(sql: Sql, id: string): number {
  const newest = sql.get(
    'SELECT max(entry) AS entry FROM passages WHERE session = (SELECT n FROM sessions WHERE id = ?)',
    id,
  ) as {readonly entry: number | null};
  return (newest.entry ?? TITLE_ENTRY) + 1;
}

/** Lets a session be found by the title that it has in the index. */
export function saveTitle(sql: Sql, id: string): void {
  const row = rowOf(sql, id);
  if (!row) return;
  const {n, title, updated_at} = row;
  const known = sql.get('SELECT text FROM passages WHERE session = ? AND entry = ?', n, TITLE_ENTRY);
  if ((known as {readonly text: string} | undefined)?.text === (title ?? undefined)) return;
  sql.run('DELETE FROM passages WHERE session = ? AND entry = ?', n, TITLE_ENTRY);
  if (title !== null) sql.run(INSERT, n, TITLE_ENTRY, 'title', updated_at, title);
}

const INSERT = 'INSERT INTO passages (session, entry, role, at, text) VALUES (?, ?, ?, ?, ?)';

interface TitleRow {
  readonly n: number;
  readonly title: string | null;
  readonly updated_at: number;
}

function rowOf(sql: Sql, id: string): TitleRow | undefined {
  return sql.get('SELECT n, title, updated_at FROM sessions WHERE id = ?', id) as TitleRow | undefined;
}
