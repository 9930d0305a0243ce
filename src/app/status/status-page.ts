import {authStatusLabel} from '../../shared/authentication.ts';
import type {LimitUse} from '../../session/settings/limits.ts';
import {configOptionOfCategory, optionsToShow, optionValueName} from '../../session/settings/options.ts';
import {currentMode, currentModel} from '../../session/selectors.ts';
import {serverStartLabel} from '../../session/lifecycle/mcp-servers.ts';
import type {UsageState} from '../../session/state.ts';
import {sessionTitle} from '../../session/titles.ts';
import {compactNumber, cost} from '../../text/format.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {page, type Page} from '../pages/pages.ts';
import type {Tab} from '../state.ts';
import {maxOf} from '../../text/lists.ts';

/** Returns the page of everything known about a session. */
export function statusOverlay(tab: Tab, limits: readonly LimitUse[]): Page {
  const rows = [...statusRows(tab), ...limits.map(limitRow)].filter((row): row is readonly [string, string] =>
    Boolean(row[1]),
  );
  const width = maxOf(rows.map(([name]) => name.length)) + 2;
  return page('Status', rows.map(([name, value]) => name.padEnd(width) + value).join('\n'));
}

type Row = readonly [name: string, value: string | undefined];

function statusRows({session, agentLabel, branch}: Tab): Row[] {
  const {agent, usage} = session;
  const servers = session.mcpServers
    ?.map((server) => `${server} (${serverStartLabel(session, server)})`)
    .join(', ');
  const name = agent && [agent.title ?? agent.name, agent.version].filter(Boolean).join(' ');
  return [
    ['Agent', name ?? agentLabel],
    ['Command', agentLabel],
    ['Protocol', agent && `version ${agent.protocolVersion}`],
    ['Account', authStatusLabel(agent?.authStatus)],
    ['Connection', session.connection.kind.replaceAll('_', ' ')],
    ['Session', session.sessionId && sanitizeLine(session.sessionId)],
    ['Title', sessionTitle(session)],
    ['Folder', session.cwd],
    ['More folders', session.additionalDirectories.join(', ')],
    ['MCP servers', servers],
    ['Branch', branch],
    // Modes and models that are options are listed below.
    ['Mode', configOptionOfCategory(session, 'mode') ? undefined : currentMode(session)?.name],
    ['Model', configOptionOfCategory(session, 'model') ? undefined : currentModel(session)?.name],
    ...optionsToShow(session).map((option): Row => [option.name, optionValueName(option)]),
    ['Auto-approve', session.approval],
    ['Sandbox', session.sandbox && `on, network ${session.sandbox.network}`],
    ['Context', usage && contextSummary(usage)],
    ['Cost', usage?.cost && cost(usage.cost)],
    ['Queued', session.queue.prompts.length > 0 ? String(session.queue.prompts.length) : undefined],
    ['Commands', session.commands.map((command) => `/${command.name}`).join(' ')],
  ];
}

function limitRow({name, amounts}: LimitUse): Row {
  return [`limits.${name}`, amounts];
}

/** Agents send zeros for unknown values. */
function contextSummary({used, size}: UsageState): string | undefined {
  if (used <= 0 && size <= 0) return undefined;
  return `${compactNumber(used)}${size > 0 ? ` of ${compactNumber(size)}` : ''} tokens`;
}
