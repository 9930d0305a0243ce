import {
  literalPattern,
  parseRule,
  RULE_EFFECTS,
  RULE_FORM,
  type RuleEffect,
} from '../../session/requests/permission-rules.ts';
import {hasProviders} from '../../session/lifecycle/agent-capabilities.ts';
import type {Choice} from '../../session/settings/options.ts';
import {callAction, emitEvent, perform, type Reaction} from '../effects.ts';
import {planOverlay} from '../pages/pages.ts';
import {APPROVALS} from '../pickers/setting-pickers.ts';
import {showAgents} from '../pickers/agent-picker.ts';
import {showSubagents} from '../pickers/subagent-picker.ts';
import {showTasks} from '../pickers/task-picker.ts';
import {parseRange, reviewRanges, showReview} from '../review/show-review.ts';
import {toast} from '../status/toasts.ts';
import {completeAgent, unquotedPath, whyNotReady, type Command, type CommandCall} from './command.ts';

export const help: Command = {
  name: 'help',
  description: 'Keys and commands',
  run: () => emitEvent({type: 'help_opened'}),
};

const stderrLog: Choice = {id: 'log', name: 'log', description: "The agent's stderr output"};

export const status: Command = {
  name: 'status',
  aliases: ['cost', 'context'],
  argument: '[log]',
  description: "Agent, session, settings and limits; log: the agent's stderr output",
  complete: (_, typed) => ({before: '', typed, choices: [stderrLog]}),
  run({tab: {key}, argument}) {
    if (argument === stderrLog.id) return perform({kind: 'show_log', key});
    return argument === '' ? perform({kind: 'show_status', key}) : undefined;
  },
};

export const usage: Command = {
  name: 'usage',
  aliases: ['stats'],
  description: 'Cost and tokens by day, agent, model and folder',
  run: ({tab: {key}}) => perform({kind: 'show_usage', key}),
};

/** A name, with all below it, or an address, and a port. What else may be a folder: `./name.example` is one. */
const HOST =
  /^(?<below>\*\.)?(?<host>(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:.]+\])(?::\d+)?|[\w-]+:\d+)$/i;

export const sandbox: Command = {
  name: 'sandbox',
  argument: '[folder | host]',
  description: 'What the sandbox allows and refused, or allow a folder or host',
  run({tab: {key, session}, argument, at}) {
    const added = unquotedPath(argument);
    if (added === '') return perform({kind: 'show_sandbox', key});
    if (!session.sandbox)
      return toast('The agent runs without a sandbox, so it needs no permission for that.', at);
    const {below = '', host} = HOST.exec(added)?.groups ?? {};
    if (host === undefined) return callAction(key, 'addSandboxFolder', added);
    const text = `network ${below}${literalPattern(host.toLowerCase())}`;
    return perform({kind: 'add_rule', key, effect: 'allow', text});
  },
};

export const review: Command = {
  name: 'review',
  argument: '[session | turn number]',
  description: 'Review what changed: accept, revert, comment',
  complete: (_, typed) => ({before: '', typed, choices: /\s/.test(typed) ? [] : reviewRanges}),
  run({tab, argument, at}) {
    if (argument === 'turn') return perform({kind: 'show_changes', key: tab.key});
    const range = parseRange(argument);
    return range && showReview(tab, {range, at});
  },
};

export const plan: Command = {
  name: 'plan',
  aliases: ['todos'],
  description: "The agent's plan",
  run: ({tab}) => emitEvent({type: 'overlay_opened', overlay: planOverlay(tab.session)}),
};

export const subagents: Command = {
  name: 'subagents',
  description: 'Subagents of this session and their transcripts',
  run: ({state, at}) => showSubagents(state, at),
};

export const tasks: Command = {
  name: 'tasks',
  aliases: ['ps', 'bashes'],
  description: 'What runs now: tool calls, commands and subagents',
  run: ({tab, at}) => showTasks(tab, at),
};

export const providers: Command = {
  name: 'providers',
  description: "The agent's LLM providers: API, URL and headers",
  unavailable(tab) {
    const {session} = tab;
    if (!session.agent) return whyNotReady(tab);
    return hasProviders(session) ? undefined : "This agent's providers cannot be configured.";
  },
  run: ({tab}) => perform({kind: 'show_providers', key: tab.key}),
};

export const mcp: Command = {
  name: 'mcp',
  description: 'MCP servers of the agent and their state',
  run: ({tab}) => perform({kind: 'show_mcp', key: tab.key}),
};

export const agents: Command = {
  name: 'agents',
  argument: '[agent | words]',
  description: 'Start a session with another agent',
  complete: completeAgent,
  run: ({state: {agentNames}, argument}) =>
    agentNames.includes(argument)
      ? perform({kind: 'choose_agent', id: argument})
      : showAgents({filter: argument}),
};

const words: readonly Choice[] = [
  {id: 'log', name: 'log', description: 'Decisions and their reasons'},
  ...[...RULE_EFFECTS, 'remove'].map((id) => ({id, name: id, description: 'with a rule'})),
  ...APPROVALS.map((level) => ({...level, group: 'auto-approve'})),
];

export const permissions: Command = {
  name: 'permissions',
  argument: '[log | none|reads|edits|all | allow|ask|deny|remove <rule>]',
  description: 'Permission rules, decisions, and what is auto-approved',
  complete: (_, typed) => ({before: '', typed, choices: /\s/.test(typed) ? [] : words}),
  run(call) {
    const {tab, argument} = call;
    const {key} = tab;
    const [, word = '', text = ''] = /^(\S*)\s*([^]*)$/.exec(argument) ?? [];
    if (argument === '') return perform({kind: 'show_permissions', key});
    if (word === 'log' && text === '') return perform({kind: 'show_decisions', key});
    if (word === 'remove' && text !== '') return perform({kind: 'remove_rule', key, text});
    if (isEffect(word)) return addRule(word, text, call);
    const level = APPROVALS.find(({id}) => id === argument);
    return level && callAction(key, 'setApproval', level.id);
  },
};

function addRule(effect: RuleEffect, text: string, {tab: {key}, at}: CommandCall): Reaction {
  return parseRule(text)
    ? perform({kind: 'add_rule', key, effect, text: text.trim()})
    : toast(`Invalid rule "${text}". Expected: ${RULE_FORM}.`, at);
}

function isEffect(word: string): word is RuleEffect {
  return (RULE_EFFECTS as readonly string[]).includes(word);
}
