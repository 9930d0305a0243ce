import {visibleText} from '../../session/transcript/content.ts';
import {changedPaths} from '../../session/transcript/diffs.ts';
import type {Entry, SubagentEntry, ToolCallEntry} from '../../session/entries.ts';
import type {SessionState} from '../../session/state.ts';
import {subagentName} from '../../session/subagents/names.ts';
import {subagentsBelow} from '../../session/subagents/tree.ts';
import {answerLines} from '../../session/labels/labels.ts';
import type {Sql} from '../database/sqlite.ts';
import {createReader, type SessionRow} from './session-table.ts';
import type {PassageRole, SearchHit, SnippetPart} from './stored-session.ts';

/** The searchable text of an entry. */
interface Passage {
  readonly entry: number;
  readonly role: PassageRole;
  /** See `SearchHit`. */
  readonly subagent?: string | undefined;
  readonly at: number;
  readonly text: string;
}

/** Longer text is not indexed, in UTF-16 units. */
const MAX_PASSAGE_LENGTH = 100_000;

/** The pseudo entry of a title. */
const TITLE_ENTRY = -1;

interface PassageRange {
  /** Index of the session's first entry in the transcript. */
  readonly first: number;
  readonly from: number;
  readonly end?: number;
}

/** Returns the searchable text of a transcript: messages, and the titles of tool calls. */
export function passagesOf(
  {entries, subagents}: Pick<SessionState, 'entries' | 'subagents'>,
  {first, from, end}: PassageRange,
): Passage[] {
  return entries.slice(from, end).flatMap((entry, offset) =>
    said(entry, subagents)
      .filter(({text}) => text.trim() !== '')
      .map(({role, subagent, at, text}) => ({
        entry: from + offset - first,
        role,
        subagent,
        at,
        text: text.slice(0, MAX_PASSAGE_LENGTH),
      })),
  );
}

/** Returns the text of an entry; for a subagent including its transcript and those below it. */
function said(entry: Entry, subagents: SessionState['subagents']): readonly Omit<Passage, 'entry'>[] {
  const {at} = entry;
  switch (entry.type) {
    case 'user_message':
      return [{role: 'user', at, text: visibleText(entry.content)}];
    case 'agent_message':
      return [{role: 'agent', at, text: visibleText(entry.content)}];
    case 'tool_call':
      return [{role: 'tool', at, text: [entry.title, ...filesOf(entry)].join('\n')}];
    case 'subagent':
      return [{role: 'agent', at, text: nameOf(entry)}, ...saidBySubagent(entry, subagents)];
    case 'elicitation':
      return [{role: 'agent', at, text: [entry.message, ...answerLines(entry)].join('\n')}];
    default:
      return [];
  }
}

/** Returns the files that a call names or changes. */
function filesOf(call: ToolCallEntry): readonly string[] {
  return [...new Set([...call.locations.map(({path}) => path), ...changedPaths(call)])];
}

function saidBySubagent(
  {sessionId}: SubagentEntry,
  subagents: SessionState['subagents'],
): readonly Omit<Passage, 'entry'>[] {
  const ids = [sessionId, ...subagentsBelow(subagents, sessionId).map(({entry}) => entry.sessionId)];
  return ids.flatMap((id) => {
    const subagent = subagentName({subagents}, id);
    return (
      (subagents[id]?.session.entries.slice() ?? [])
        .flatMap((entry) => said(entry, {}))
        // Its prompts are the agent's, not the user's.
        .map(({role, at, text}) => ({role: role === 'user' ? 'agent' : role, subagent, at, text}))
    );
  });
}

function nameOf({title, description}: Pick<SubagentEntry, 'title' | 'description'>): string {
  return [title, description].filter(Boolean).join(': ');
}

/** Replaces the passages of a session's entries from `from` on. */
export function savePassages(
  sql: Sql,
  {id, from}: {readonly id: string; readonly from: number},
  passages: readonly Passage[],
): void {
  const session = rowOf(sql, id)?.n;
  if (session === undefined) return;
  sql.run('DELETE FROM passages WHERE session = ? AND entry >= ?', session, from);
  for (const {entry, role, subagent = null, at, text} of passages)
    sql.run(INSERT, session, entry, role, subagent, at, text);
}

/** Returns the number of indexed entries of a session, counted from the first. */
export function countIndexed(sql: Sql, id: string): number {
  const newest = sql.get(
    'SELECT max(entry) AS entry FROM passages WHERE session = (SELECT n FROM sessions WHERE id = ?)',
    id,
  ) as {readonly entry: number | null};
  return (newest.entry ?? TITLE_ENTRY) + 1;
}

/** Makes a session searchable by its current title. */
export function saveTitle(sql: Sql, id: string): void {
  const row = rowOf(sql, id);
  if (!row) return;
  const {n, title, updated_at} = row;
  const known = sql.get('SELECT text FROM passages WHERE session = ? AND entry = ?', n, TITLE_ENTRY);
  if ((known as {readonly text: string} | undefined)?.text === (title ?? undefined)) return;
  sql.run('DELETE FROM passages WHERE session = ? AND entry = ?', n, TITLE_ENTRY);
  if (title !== null) sql.run(INSERT, n, TITLE_ENTRY, 'title', null, updated_at, title);
}

const INSERT = 'INSERT INTO passages (session, entry, role, subagent, at, text) VALUES (?, ?, ?, ?, ?, ?)';

interface TitleRow {
  readonly n: number;
  readonly title: string | null;
  readonly updated_at: number;
}

function rowOf(sql: Sql, id: string): TitleRow | undefined {
  return sql.get('SELECT n, title, updated_at FROM sessions WHERE id = ?', id) as TitleRow | undefined;
}

/** Control characters, which no passage contains. */
const [BEGIN, END] = ['\x02', '\x03'];
/** Length of a snippet, in words. */
const SNIPPET_WORDS = 24;

/** Passages are numbered in order, so that the newest are found without a full scan. */
const SEARCH = `
  SELECT s.*, p.entry, p.role, p.subagent, p.at, snippet(said, 0, '${BEGIN}', '${END}', '…', ${SNIPPET_WORDS}) AS snippet
  FROM said CROSS JOIN passages p ON p.n = said.rowid CROSS JOIN sessions s ON s.n = p.session
  WHERE said MATCH ?1 AND s.deleted_at IS NULL AND (?2 IS NULL OR s.id IN (SELECT value FROM json_each(?2)))
  ORDER BY said.rowid DESC LIMIT ?3`;

interface Found extends SessionRow {
  readonly entry: number;
  readonly role: PassageRole;
  readonly subagent: string | null;
  readonly at: number;
  readonly snippet: string;
}

export interface SearchOptions {
  /** Of passages. */
  readonly limit: number;
  /** Only in the sessions with these ids; otherwise in all. */
  readonly among?: readonly string[];
}

/** Returns the passages with all words of the query, newest first. The last word may be incomplete; "quoted words" must be adjacent. */
export function searchPassages(sql: Sql, query: string, {limit, among}: SearchOptions): SearchHit[] {
  const expression = expressionOf(query);
  if (expression === '') return [];
  const readSession = createReader();
  const rows = sql.all(SEARCH, expression, among ? JSON.stringify(among) : null, limit) as Found[];
  return withoutEchoes(rows).map((row) => ({
    session: readSession(row),
    entry: row.entry === TITLE_ENTRY ? undefined : row.entry,
    role: row.role,
    subagent: row.subagent ?? undefined,
    at: row.at,
    snippet: partsOf(row.snippet),
  }));
}

/** Returns the whole text of an entry. */
export function passageOf(sql: Sql, id: string, entry: number = TITLE_ENTRY): string {
  const rows = sql.all(
    'SELECT p.text FROM passages p JOIN sessions s ON s.n = p.session WHERE s.id = ? AND p.entry = ? ORDER BY p.n',
    id,
    entry,
  ) as readonly {readonly text: string}[];
  return rows.map(({text}) => text).join('\n');
}

/** Many agents use the first prompt as the title; such a hit is redundant. */
function withoutEchoes(rows: readonly Found[]): readonly Found[] {
  const prompts = new Set(
    rows.filter(({role}) => role === 'user').map(({id, snippet}) => `${id} ${snippet}`),
  );
  return rows.filter(({role, id, snippet}) => role !== 'title' || !prompts.has(`${id} ${snippet}`));
}

/** Returns the query for FTS5: every word quoted, so that none is an operator. */
function expressionOf(query: string): string {
  const terms = [...query.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([whole, quoted]) => quoted ?? whole);
  // A term without letters or digits matches nothing.
  const searchable = terms.filter((term) => /[\p{L}\p{N}]/u.test(term));
  const isOpen = !/["\s]$/.test(query);
  return searchable
    .map((term, index) => `"${term}"${isOpen && index === searchable.length - 1 ? '*' : ''}`)
    .join(' ');
}

function partsOf(snippet: string): SnippetPart[] {
  return snippet
    .split(new RegExp(`(${BEGIN}[^${END}]*${END})`))
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith(BEGIN) ? {text: part.slice(1, -1), found: true} : {text: part, found: false},
    );
}
