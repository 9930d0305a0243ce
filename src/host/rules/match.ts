import type {PermissionRule} from '../../session/permission-rules.ts';
import type {CommandPart} from './command-parts.ts';
import {fits, textGlob} from './glob.ts';
import {commandPattern, isAbout, vouchesFor, type CommandPattern} from './match-command.ts';
import {isAboutPath, pathPattern, vouchesForPath, type PathPattern} from './match-path.ts';
import type {Bases, RuleSubject} from './subject.ts';

/** `maybe`: what will happen is not known well enough to say no. */
export type Match = 'yes' | 'maybe' | 'no';

/** A rule, read once. */
export interface ReadRule {
  readonly rule: PermissionRule;
  readonly command: CommandPattern | undefined;
  readonly path: PathPattern | undefined;
}

export function readRule(rule: PermissionRule, bases: Bases): ReadRule {
  const {kind, pattern} = rule.about;
  const isCommand = kind === 'execute';
  return {
    rule,
    command: isCommand && pattern !== undefined ? commandPattern(pattern) : undefined,
    path: !isCommand && pattern !== undefined ? pathPattern(pattern, bases) : undefined,
  };
}

/** Whether a `deny` or `ask` is about what the agent wants. In doubt it is. */
export function restricts({rule: {about}, command, path}: ReadRule, subject: RuleSubject): Match {
  const {agent, kind, tool, paths} = subject;
  const names = [agent.label, agent.claimed ?? agent.label];
  if (!names.some((name) => isNamed(about.agent, name)) || !isNamed(about.tool, tool)) return 'no';
  // A command that calls itself something else is a command.
  const isKind =
    about.kind === 'any' ||
    about.kind === kind ||
    (about.kind === 'execute' && subject.command !== undefined);
  if (!isKind) return 'no';
  if (command) return subject.command ? isAbout(command, subject.command) : 'maybe';
  if (!path) return 'yes';
  if (paths.length === 0) return about.kind === 'any' ? 'no' : 'maybe';
  return paths.some((each) => isAboutPath(path, each)) ? 'yes' : 'no';
}

/**
 * Whether an `allow` vouches for what the agent wants, or for one program of it. In doubt it does not; and never for what
 * lies outside the roots.
 */
export function permits(
  {rule: {about}, command, path}: ReadRule,
  subject: RuleSubject,
  part?: CommandPart,
): boolean {
  const {agent, kind, tool, paths} = subject;
  if (!isNamed(about.agent, agent.label) || !isNamed(about.tool, tool)) return false;
  if (about.kind !== 'any' && about.kind !== kind) return false;
  if (paths.some(({real}) => real === undefined)) return false;
  if (command) return part !== undefined && vouchesFor(command, part);
  if (path) return paths.length > 0 && paths.every((each) => vouchesForPath(path, each));
  return true;
}

function isNamed(pattern: string | undefined, name: string | undefined): boolean {
  return pattern === undefined || (name !== undefined && fits(textGlob(pattern), name));
}
