import type {Entry} from '../../session/entries.ts';
import type {TerminalState} from '../../session/state.ts';
import {terminalIds} from '../../session/selectors.ts';
import {jsonText} from '../../text/json.ts';
import type {SessionDocument} from '../document.ts';
import {neverYield, type YieldControl} from '../format.ts';
import {EXPORT_KIND, EXPORT_VERSION} from './schema.ts';

/** Returns a session as JSON, which can be imported; schema.ts has the format. */
export async function writeJson(
  {facts, entries, subagents, terminals, masked, exportedAt}: SessionDocument,
  pace = neverYield,
): Promise<string> {
  const head = {kind: EXPORT_KIND, v: EXPORT_VERSION, exportedAt, masked, session: facts};
  const named = new Set<string>();
  const written = (entry: Entry) => {
    for (const id of terminalIds(entry)) named.add(id);
    return entryOf(entry);
  };
  const lists = {
    entries: await listText(entries, pace, written),
    subagents: await listText([...subagents.values()], pace, ({entries, ...subagent}) => ({
      ...subagent,
      entries: entries.map(written),
    })),
    terminals: await listText(
      [...terminals].filter(({id}) => named.has(id)),
      pace,
      terminalOf,
    ),
  };
  const ofSubagents = subagents.size === 0 ? '' : ` "subagents": ${lists.subagents},\n`;
  // The lists can be long: each item is serialized separately, as it would be in the whole.
  return `${jsonText(head, 1).slice(0, -2)},\n "entries": ${lists.entries},\n${ofSubagents} "terminals": ${lists.terminals}\n}\n`;
}

function entryOf({...entry}: Entry): object {
  if (entry.type === 'tool_call')
    return {...entry, approvedChanges: undefined, isCancelledByAgent: undefined};
  return 'carry' in entry ? {...entry, carry: undefined} : entry;
}

function terminalOf({id, runBy, command, cwd, output, truncated, screen, exit}: TerminalState): object {
  return {id, runBy, command, cwd, output, truncated, screen, exit};
}

async function listText<Item>(
  items: readonly Item[],
  pace: YieldControl,
  written: (item: Item) => object,
): Promise<string> {
  const texts: string[] = [];
  for (const item of items) {
    texts.push(jsonText(written(item), 1).replaceAll('\n', '\n  '));
    await pace();
  }
  return texts.length === 0 ? '[]' : `[\n  ${texts.join(',\n  ')}\n ]`;
}
