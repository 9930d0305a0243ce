import {unescapeHidden} from '../../text/hidden.ts';
import type {Entry} from '../entries.ts';
import type {EntryList} from './entry-list.ts';
import type {SessionState} from '../state.ts';
import {toolEnding} from '../labels/tool-labels.ts';
import {changedPaths} from './diffs.ts';
import {isLookup} from './tool-kinds.ts';

/**
 * Returns a predicate: true if a tool call since a turn, of the session or a subagent, names the file (relative to the folder) in its input, a diff or a
 * location. Calls that were rejected do not count.
 */
export function createNamedFiles(session: SessionState, sinceTurn: number): (path: string) => boolean {
  const subagents = Object.values(session.subagents).flatMap((each) => each.session.entries.slice());
  const own = session.entries.filter(({turn}) => turn !== undefined && turn >= sinceTurn);
  return namesFile([...own, ...subagents]);
}

/** Returns a predicate: true if a tool call among some entries names the file (relative to the folder). */
export function namesFile(entries: Pick<EntryList, 'flatMap'>): (path: string) => boolean {
  const texts = entries.flatMap(textsOf);
  return (path) => texts.some((text) => names(text, path));
}

function textsOf(entry: Entry): readonly string[] {
  if (entry.type !== 'tool_call' || isLookup(entry.kind) || toolEnding(entry) === 'rejected') return [];
  const {title, content, kind, locations, rawInput, approvedChanges = []} = entry;
  const changed = changedPaths({content: [...content, ...approvedChanges], kind});
  return [title, ...changed, ...locations.map(({path}) => path), ...stringsIn(rawInput)].map(unescapeHidden);
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** As a whole word: `ab.txt` does not name `b.txt`. */
function names(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + path.length)];
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
