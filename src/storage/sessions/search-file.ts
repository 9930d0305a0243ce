import {createSql, sqlite} from '../database/sqlite.ts';
import {searchPassages} from './search-index.ts';

/** A session in which something was said, and the text around the newest place. */
export interface TextMatch {
  /** acp-tui's id of the session. */
  readonly id: string;
  readonly text: string;
  /** What was found, as it was said. */
  readonly match: string;
  /** Index in the session's transcript; undefined if the title matched. */
  readonly entry: number | undefined;
}

/** Returns the sessions with all words of a query in one passage, newest first. Opens the file by itself, so that it can run in a thread; throws if it cannot be read. */
export function searchFile({
  file,
  query,
  limit,
}: {
  readonly file: string;
  readonly query: string;
  /** Of passages. */
  readonly limit: number;
}): readonly TextMatch[] {
  const {DatabaseSync} = sqlite();
  const connection = new DatabaseSync(file, {readOnly: true});
  try {
    const found = new Map<string, TextMatch>();
    for (const {session, entry, subagent, snippet} of searchPassages(createSql(connection), query, {limit})) {
      const {id} = session;
      if (found.has(id)) continue;
      const by = subagent === undefined ? '' : `subagent ${subagent}: `;
      const text = by + snippet.map((part) => part.text).join('');
      found.set(id, {id, text, match: snippet.find((part) => part.found)?.text ?? '', entry});
    }
    return [...found.values()];
  } finally {
    connection.close();
  }
}
