import {comparedFacts, type ComparedAgent} from '../../session/labels/compared-agent.ts';
import {pluralize} from '../../text/format.ts';
import {combine, emitEvent, perform} from '../effects.ts';
import {openPicker, pickerOf, type ListItem} from '../pickers/picker.ts';
import {showReview} from '../review/show-review.ts';
import type {AppState, ComparedSession, Picker} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {namedChoices, whyNotReady, type Command} from './command.ts';

const USAGE = 'Usage: /compare claude,codex <prompt>, or /compare --check "npm test" claude,codex <prompt>';

const ARGUMENT = /^(?:--check\s+(?:"([^"]*)"|'([^']*)'|(\S+))\s+)?(\S+)\s+(\S.*)$/s;

/** Returns what the argument asks for; undefined if it names fewer than two agents, or no prompt. */
function comparisonIn(argument: string) {
  const [, double, single, bare, names = '', prompt = ''] = ARGUMENT.exec(argument) ?? [];
  const agents = [...new Set(names.split(','))].filter(Boolean);
  const check = double ?? single ?? bare;
  return agents.length < 2 ? undefined : {agents, prompt, ...(check !== undefined && {check})};
}

export const compare: Command = {
  name: 'compare',
  argument: '[agent,agent prompt]',
  description: 'Give several agents the same prompt, each in a worktree, and compare what they did',
  unavailable: whyNotReady,
  complete(_, argument, {agentNames}) {
    const [, before = '', typed = ''] = /^(.*,)?([^,]*)$/s.exec(argument) ?? [];
    const named = before.split(',');
    const choices = /\s/.test(argument) ? [] : agentNames.filter((name) => !named.includes(name));
    return {before, typed, choices: namedChoices(choices), more: 'prompt'};
  },
  run({state: {comparison}, tab: {key}, argument, at}) {
    if (argument === '') return comparison ? openPicker(comparisonPicker(comparison)) : toast(USAGE, at);
    const wanted = comparisonIn(argument);
    return wanted ? perform({kind: 'compare_agents', session: key, ...wanted}) : toast(USAGE, at);
  },
};

/** Lists what the agents did; selecting one shows its changes in the review. */
export function comparisonPicker(compared: readonly ComparedSession[], answerFrom?: number): Picker {
  const items = compared.map((agent): ListItem => {
    const facts = comparedColumns(agent);
    return {
      id: agent.key,
      label: agent.agent,
      columns: [agent.error === null ? 'done' : 'failed', ...facts],
      description: [agent.error, ...facts].filter(Boolean).join(' · '),
      preview: agent.error ?? '',
      choose: ({state, at}) => showCompared(state, agent, at),
    };
  });
  const note =
    'Selecting one reviews its changes. In its session, /worktree apply makes them in the folder that all were made from, and /worktree remove drops them.';
  return pickerOf({purpose: {kind: 'ordered_list'}, title: 'What the agents did', note, items}, answerFrom);
}

function comparedColumns(agent: ComparedAgent): readonly string[] {
  const {time, tokens, cost, lines, check} = comparedFacts(agent);
  return [
    check && `check ${check}`,
    agent.files === null ? '? files' : pluralize(agent.files, 'file'),
    lines,
    time,
    `${tokens} tokens`,
    cost,
  ];
}

function showCompared({sessions}: AppState, {key, agent}: ComparedSession, at: number) {
  const tab = sessions[key];
  if (!tab) return toast(`The session of ${agent} is closed; acp-tui worktrees lists what it has left.`, at);
  return combine(
    emitEvent({type: 'session_activated', key}),
    showReview(tab, {range: {kind: 'session'}, at}),
  );
}
