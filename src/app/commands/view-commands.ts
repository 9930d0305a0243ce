import {
  parseRule,
  RULE_EFFECTS,
  RULE_FORM,
  type RuleEffect,
} from '../../session/requests/permission-rules.ts';
import type {Choice} from '../../session/settings/options.ts';
import {fold, perform, type Step} from '../effects.ts';
import {helpOverlay, planOverlay} from '../pages/pages.ts';
import {showAgents} from '../pickers/agent-picker.ts';
import {historyPicker} from '../pickers/history-search.ts';
import {openPicker} from '../pickers/picker.ts';
import {showSubagents} from '../pickers/subagent-picker.ts';
import {statusOverlay} from '../status/status-page.ts';
import {toast} from '../status/toasts.ts';
import type {Command, CommandCall} from './command.ts';

export const help: Command = {
  name: 'help',
  description: 'Keys and commands',
  run: () => fold({type: 'overlay_opened', overlay: helpOverlay}),
};

export const status: Command = {
  name: 'status',
  aliases: ['cost', 'context', 'usage'],
  description: 'Agent, session, settings and usage',
  run: ({open}) => fold({type: 'overlay_opened', overlay: statusOverlay(open)}),
};

export const changes: Command = {
  name: 'changes',
  aliases: ['diff'],
  description: 'The files that were changed, with their diffs',
  run: ({open}) => perform({kind: 'show_changes', key: open.key}),
};

export const plan: Command = {
  name: 'plan',
  description: 'The plan of the agent',
  run: ({open}) => fold({type: 'overlay_opened', overlay: planOverlay(open.session)}),
};

export const subagents: Command = {
  name: 'subagents',
  description: 'The subagents of the session, and their transcripts',
  run: ({state, at}) => showSubagents(state, at),
};

export const log: Command = {
  name: 'log',
  description: 'What the agent wrote on stderr',
  run: ({open}) => perform({kind: 'show_log', key: open.key}),
};

export const mcp: Command = {
  name: 'mcp',
  description: 'MCP servers: which the agent gets, and why not',
  run: ({open}) => perform({kind: 'show_mcp', key: open.key}),
};

export const find: Command = {
  name: 'find',
  argument: '<words>',
  description: 'Find what was said in all sessions',
  run: ({argument, at}) =>
    argument === ''
      ? toast('Say what to find: /find race condition, or /find "these words together".', at)
      : perform({kind: 'find_passages', query: argument}),
};

export const history: Command = {
  name: 'history',
  description: 'Search earlier prompts',
  run: ({state}) => openPicker(historyPicker(state.history, 'project')),
};

export const agents: Command = {
  name: 'agents',
  argument: '[words]',
  description: 'A session with another agent, beside this one',
  run: ({argument}) => showAgents({filter: argument}),
};

const words: readonly Choice[] = [
  {id: 'log', name: 'log', description: 'What was decided, and why'},
  ...[...RULE_EFFECTS, 'remove'].map((id) => ({id, name: id, description: 'with a rule'})),
];

export const permissions: Command = {
  name: 'permissions',
  argument: '[log | allow|ask|deny|remove <rule>]',
  description: 'Rules for what agents may do, and why things were allowed',
  complete: (_, typed) => ({before: '', typed, choices: /\s/.test(typed) ? [] : words}),
  run(call) {
    const {open, argument} = call;
    const {key} = open;
    const [, word = '', text = ''] = /^(\S*)\s*([^]*)$/.exec(argument) ?? [];
    if (argument === '') return perform({kind: 'show_permissions', key});
    if (word === 'log' && text === '') return perform({kind: 'show_decisions', key});
    if (word === 'remove' && text !== '') return perform({kind: 'remove_rule', key, text});
    if (isEffect(word)) return addRule(word, text, call);
    const forms = '/permissions, /permissions log, and allow, ask, deny or remove with a rule';
    return toast(`"${argument}" is not understood. It can be: ${forms}.`, call.at);
  },
};

function addRule(effect: RuleEffect, text: string, {open: {key}, at}: CommandCall): Step {
  return parseRule(text)
    ? perform({kind: 'add_rule', key, effect, text: text.trim()})
    : toast(`"${text}" is no rule. What is needed: ${RULE_FORM}.`, at);
}

function isEffect(word: string): word is RuleEffect {
  return (RULE_EFFECTS as readonly string[]).includes(word);
}
