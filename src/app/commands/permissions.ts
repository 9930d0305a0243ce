import {parseRule, RULE_EFFECTS, RULE_FORM, type RuleEffect} from '../../session/permission-rules.ts';
import type {Choice} from '../../session/options.ts';
import {perform, type Step} from '../effects.ts';
import {hint} from '../hints.ts';
import type {Command, CommandCall} from './command.ts';

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
    return hint(`"${argument}" is not understood. It can be: ${forms}.`, call.at);
  },
};

function addRule(effect: RuleEffect, text: string, {open: {key}, at}: CommandCall): Step {
  return parseRule(text)
    ? perform({kind: 'add_rule', key, effect, text: text.trim()})
    : hint(`"${text}" is no rule. What is needed: ${RULE_FORM}.`, at);
}

function isEffect(word: string): word is RuleEffect {
  return (RULE_EFFECTS as readonly string[]).includes(word);
}
