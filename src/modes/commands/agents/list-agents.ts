import {fuzzyFind} from '../../../app/completion/fuzzy-find.ts';
import {
  type CatalogEntry,
  describeAgent,
  commandLine,
  originLabel,
  versionLabel,
} from '../../../agents/catalog.ts';
import type {AgentsCommand} from './agents-arguments.ts';
import {jsonText} from '../../../text/json.ts';
import {tableLines, type Column} from '../../../cli/table.ts';
import {
  type AgentsContext,
  agentJson,
  loadCatalog,
  registryLine,
  type LoadedCatalog,
} from './agent-lookup.ts';

const FAILED = 1;

/** Lists all known agents, those that can be started first. */
export async function listAgents(
  command: Extract<AgentsCommand, {kind: 'list'}>,
  context: AgentsContext,
): Promise<number> {
  const found = await loadCatalog(command, context, {asks: false});
  return show(found, command, context);
}

/** Searches names, descriptions, authors and commands of agents, best match first. */
export async function searchAgents(
  command: Extract<AgentsCommand, {kind: 'search'}>,
  context: AgentsContext,
): Promise<number> {
  const found = await loadCatalog(command, context, {asks: true});
  const items = found.entries.map((entry) => ({
    entry,
    id: entry.id,
    label: entry.name,
    description: [commandLine(entry), entry.registry?.description, ...(entry.registry?.authors ?? [])].join(
      ' ',
    ),
  }));
  const entries = fuzzyFind(items, command.query).map(({entry}) => entry);
  return show({...found, entries}, command, context);
}

function show(found: LoadedCatalog, {json}: {readonly json: boolean}, context: AgentsContext): number {
  const {stdout, stderr} = context;
  if (json) stdout.write(`${jsonText(documentOf(found, context), 2)}\n`);
  else {
    for (const line of tableLines(columnsOf(found.entries, context), stdout)) stdout.write(`${line}\n`);
    if (found.entries.length === 0) stderr('No agents found.\n');
    const line = registryLine(found, context);
    if (line !== '') stderr(`${line}\n`);
  }
  return found.isComplete ? 0 : FAILED;
}

function columnsOf(entries: readonly CatalogEntry[], {stdout, mask}: AgentsContext): readonly Column[] {
  const {bold, dim} = stdout.style;
  return [
    {texts: entries.map(({id}) => id), style: bold},
    {texts: entries.map(originLabel), style: dim},
    {texts: entries.map(versionLabel), isExtra: true},
    {texts: entries.map((entry) => mask(describeAgent(entry)))},
  ];
}

function documentOf({entries, registry}: LoadedCatalog, context: AgentsContext) {
  return {
    v: 1,
    registry: {
      url: context.registry.shownUrl,
      checkedAt: registry ? new Date(registry.checkedAt).toISOString() : null,
      left: registry?.left ?? [],
    },
    agents: entries.map((entry) => agentJson(entry, context)),
  };
}
