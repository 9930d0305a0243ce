import type {Sql} from '../database/sql.ts';
import {TITLE_ENTRY} from './passages.ts';
import {createReader, type SessionRow} from './rows.ts';
import type {PassageRole, SearchHit, SnippetPart} from './stored-session.ts';

/** Control characters: no passage has any. */
const [BEGIN, END] = ['\x02', '\x03'];
/** Length of a snippet, in words. */
const SNIPPET_WORDS = 24;

/** Passages are numbered as they come, so that the newest are found without looking at all. */
const SEARCH = `
  SELECT s.*, p.entry, p.role, p.at, snippet(said, 0, '${BEGIN}', '${END}', '…', ${SNIPPET_WORDS}) AS snippet
  FROM said CROSS JOIN passages p ON p.n = said.rowid CROSS JOIN sessions s ON s.n = p.session
  WHERE said MATCH ? AND s.deleted_at IS NULL ORDER BY said.rowid DESC LIMIT ?`;

interface Found extends SessionRow {
  readonly entry: number;
  readonly role: PassageRole;
  readonly at: number;
  readonly snippet: string;
}

/** Passages that have all words of the query, newest first. The last word may be incomplete; "quoted words" follow each other. */
export function searchPassages(sql: Sql, query: string, limit: number): SearchHit[] {
  const expression = expressionOf(query);
  if (expression === '') return [];
  const readSession = createReader();
  const rows = sql.all(SEARCH, expression, limit) as Found[];
  return withoutEchoes(rows).map((row) => ({
    session: readSession(row),
    entry: row.entry === TITLE_ENTRY ? undefined : row.entry,
    role: row.role,
    at: row.at,
    snippet: partsOf(row.snippet),
  }));
}

/** The whole text of a passage that was found. */
export function passageOf(sql: Sql, id: string, entry: number = TITLE_ENTRY): string {
  const row = sql.get(
    'SELECT p.text FROM passages p JOIN sessions s ON s.n = p.session WHERE s.id = ? AND p.entry = ?',
    id,
    entry,
  ) as {readonly text: string} | undefined;
  return row?.text ?? '';
}

/** Many agents make a title of the first prompt: where that is found, the title says nothing new. */
function withoutEchoes(rows: readonly Found[]): readonly Found[] {
  const prompts = new Set(
    rows.filter(({role}) => role === 'user').map(({id, snippet}) => `${id} ${snippet}`),
  );
  return rows.filter(({role, id, snippet}) => role !== 'title' || !prompts.has(`${id} ${snippet}`));
}

/** What was typed, as FTS5 reads it: every word quoted, so that nothing typed is an operator. */
function expressionOf(query: string): string {
  const terms = [...query.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([whole, quoted]) => quoted ?? whole);
  // A term without a letter or a digit has nothing that could be found.
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
