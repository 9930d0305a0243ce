import {
  findEntry,
  type CatalogEntry,
  commandLine,
  registryFacts,
  originLabel,
  versionLabel,
  waysToInstall,
} from '../../../agents/catalog.ts';
import {quoteAgentText} from '../../../shared/agent-text.ts';
import {printFailure} from '../../../cli/terminal-io.ts';
import type {AgentsCommand} from './agents-arguments.ts';
import {jsonText} from '../../../text/json.ts';
import {escapeHiddenLine} from '../../../text/hidden.ts';
import {wrap} from '../../../text/wrap.ts';
import {type AgentsContext, agentJson, loadCatalog} from './agent-lookup.ts';

const NAME_COLUMNS = 14;

/** Prints everything known about an agent. */
export async function showAgentInfo(
  command: Extract<AgentsCommand, {kind: 'info'}>,
  context: AgentsContext,
): Promise<number> {
  const {name, json} = command;
  const {entries} = await loadCatalog(command, context, {asks: false});
  const entry = findEntry(entries, name);
  const {stdout, stderr} = context;
  if (!entry)
    return printFailure(
      stderr,
      `Unknown agent "${quoteAgentText(name)}". Search the registry with: acp-tui agents search.`,
    );
  if (json) stdout.write(`${jsonText({v: 1, ...agentJson(entry, context)}, 2)}\n`);
  else for (const line of linesOf(entry, context)) stdout.write(`${line}\n`);
  return 0;
}

function linesOf(entry: CatalogEntry, {stdout, mask}: AgentsContext): readonly string[] {
  const {style, columns} = stdout;
  const {installed, registry} = entry;
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['Found in', originLabel(entry)],
    ['Command', mask(commandLine(entry) ?? '')],
    ['Installed', installed && versionLabel(entry)],
    ['Source', installed && escapeHiddenLine(installed.from)],
    ['SHA-256', installed?.sha256],
    ['Version', registry?.version],
    ['Settings', settingsSummary(entry)],
    ...registryFacts(entry),
    ...(registry ? waysToInstall(registry).map((way) => ['Available as', way] as const) : []),
  ];
  const room = Math.max(20, (columns ?? Infinity) - NAME_COLUMNS);
  const factLines = facts.flatMap(([name, value]) =>
    value
      ? wrapped(value, room).map(
          (line, index) => style.dim((index === 0 ? name : '').padEnd(NAME_COLUMNS)) + line,
        )
      : [],
  );
  return [
    `${style.bold(entry.name)} (${entry.id})`,
    ...(registry ? ['', ...wrapped(registry.description, columns ?? Infinity)] : []),
    '',
    ...factLines,
  ];
}

function wrapped(text: string, columns: number): readonly string[] {
  return Number.isFinite(columns) ? wrap(text, columns) : [text];
}

/** Values of variables may be secret, so only their names are shown. */
function settingsSummary({settings = {}}: CatalogEntry): string {
  const {env, mode, model, options = {}, approve} = settings;
  const named = Object.entries({mode, model, ...options, approve}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  );
  const variables = Object.keys(env ?? {});
  return escapeHiddenLine(
    [...named, ...(variables.length > 0 ? [`env ${variables.join(' ')}`] : [])].join(', '),
  );
}
