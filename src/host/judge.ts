import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {HostContext} from './host-context.ts';
import {decide, lowestLevel, type Subject} from './policy.ts';
import {splitCommand, type CommandParts} from './rules/command-parts.ts';
import {loadShellGrammar} from './rules/shell-grammar.ts';
import type {SubjectPath} from './rules/subject.ts';
import type {DeniedRequest} from './services.ts';

/** What an agent wants, as the layers of decisions see it. */
export interface Wish {
  readonly subject: Subject;
  readonly kind: acp.ToolKind;
  readonly tool?: string | undefined;
  readonly paths: readonly SubjectPath[];
  /** A line for a shell, or the words of a program; undefined where none is told. */
  readonly command?: string | readonly string[] | undefined;
  /** What is known to make another command of it. */
  readonly changedBy?: string | undefined;
}

export interface Judgement {
  readonly effect: 'allow' | 'ask' | 'deny';
  /** What decided: `--approve edits`, or the rules. */
  readonly by: string;
  readonly isByRule: boolean;
  /** The lowest level that would have allowed it; undefined when none would, or a rule decided. */
  readonly remedy: DeniedRequest['allowedBy'];
  /** The rule that keeps it from being allowed unasked; undefined where none does. */
  readonly rule: DeniedRequest['rule'];
  /** Why nobody can say exactly what the command does, where that was found out. */
  readonly unresolved: string | undefined;
}

/** Rules of the user and of a trusted folder decide first, then the level. */
export async function judge(context: HostContext, wish: Wish): Promise<Judgement> {
  const {options, level, rules} = context;
  const {subject, kind, tool, paths} = wish;
  const command = wish.command === undefined ? undefined : await partsOf(context, wish);
  const agent = {label: options.agent.label, claimed: options.agent.claimed()};
  const byRule = rules.decide({agent, kind, tool, paths, command});
  const unresolved = rules.readsCommands ? command?.unresolved : undefined;
  if (!byRule)
    return {
      ...decide(subject, level),
      isByRule: false,
      remedy: lowestLevel(subject),
      rule: undefined,
      unresolved,
    };
  const {effect, by: rule} = byRule;
  return {
    ...byRule,
    isByRule: true,
    remedy: undefined,
    rule: effect === 'allow' ? undefined : rule,
    unresolved,
  };
}

const opaque = (unresolved: string): CommandParts => ({parts: [], hidden: [], unresolved, isOpaque: true});

async function partsOf({rules}: HostContext, {command = '', changedBy}: Wish): Promise<CommandParts> {
  if (!rules.readsCommands) return opaque('no rule asks for it');
  const grammar = await loadShellGrammar().catch(() => undefined);
  if (!grammar) return opaque('the grammar of shells cannot be loaded');
  const parts = splitCommand(command, grammar);
  return changedBy === undefined ? parts : {...parts, unresolved: changedBy, isOpaque: true};
}
