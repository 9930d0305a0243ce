import type {PermissionRule} from '../../session/permission-rules.ts';
import {permits, readRule, restricts, type ReadRule} from './match.ts';
import type {Bases, RuleSubject} from './subject.ts';

/** What rules say, and which ones. */
export interface RuleVerdict {
  readonly effect: PermissionRule['effect'];
  /** For the user: `rule: execute npm test* (user)`. */
  readonly by: string;
}

/** Rules that were read. */
export interface RuleBook {
  /** True when a rule has a pattern of commands, so that commands have to be taken apart. */
  readonly readsCommands: boolean;
  readonly isEmpty: boolean;
  /** True when a rule may keep an agent from reading. */
  readonly restrictsReading: boolean;
  /** Undefined when no rule is about it: the next layer decides. */
  decide(subject: RuleSubject): RuleVerdict | undefined;
}

/**
 * Any `deny` that is about it wins, then any `ask`, then `allow`, wherever they come from. A `deny` or `ask` that may be about
 * a command that cannot be resolved asks. A command is allowed when each program that it starts is.
 */
export function createRuleBook(rules: readonly PermissionRule[], bases: Bases): RuleBook {
  const read = rules.map((rule) => readRule(rule, bases));
  const ofEffect = (effect: PermissionRule['effect']) => read.filter(({rule}) => rule.effect === effect);
  const deny = ofEffect('deny');
  const ask = ofEffect('ask');
  const allow = ofEffect('allow');
  return {
    readsCommands: read.some(({command}) => command !== undefined),
    isEmpty: rules.length === 0,
    restrictsReading: [...deny, ...ask].some(({rule: {about}}) => ['read', 'any'].includes(about.kind)),
    decide(subject) {
      const denying = deny.find((rule) => restricts(rule, subject) === 'yes');
      if (denying) return {effect: 'deny', by: nameOf([denying])};
      const asking = ask.find((rule) => restricts(rule, subject) === 'yes');
      if (asking) return {effect: 'ask', by: nameOf([asking])};
      const inDoubt = [...deny, ...ask].find((rule) => restricts(rule, subject) === 'maybe');
      if (inDoubt) return {effect: 'ask', by: `${nameOf([inDoubt])}, which may be about it`};
      const allowing = allowedBy(allow, subject);
      return allowing && {effect: 'allow', by: nameOf(allowing)};
    },
  };
}

/** The rules that together allow it; undefined when something is left that none does. */
function allowedBy(allow: readonly ReadRule[], subject: RuleSubject): readonly ReadRule[] | undefined {
  const whole = allow.find((rule) => permits(rule, subject));
  if (whole) return [whole];
  const {command} = subject;
  if (!command || command.unresolved !== undefined || command.parts.length === 0) return undefined;
  const each = command.parts.map((part) => allow.find((rule) => permits(rule, subject, part)));
  return each.every((rule) => rule !== undefined) ? [...new Set(each)] : undefined;
}

function nameOf(rules: readonly ReadRule[]): string {
  const names = rules.map(({rule: {text, source}}) => `${text} (${source})`);
  return `${names.length === 1 ? 'rule' : 'rules'}: ${names.join(', ')}`;
}
