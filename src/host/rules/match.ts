import type {PermissionRule} from '../../session/permission-rules.ts';
import type {ProtectedMatch} from '../../session/protected-paths.ts';
import type {CommandPart} from './command-parts.ts';
import {fits, textGlob, withoutWildcards} from './glob.ts';
import {commandPattern, isAbout, vouchesFor, type CommandPattern} from './match-command.ts';
import {isAboutPath, namesPath, pathPattern, vouchesForPath, type PathPattern} from './match-path.ts';
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
  const {agent, kind, tool, paths, alsoNamed, command: run} = subject;
  const names = [agent.label, agent.claimed ?? agent.label];
  if (!names.some((name) => isNamed(about.agent, name)) || !isNamed(about.tool, tool)) return 'no';
  // A command that calls itself something else is a command.
  const isKind =
    about.kind === 'any' ||
    about.kind === kind ||
    (about.kind === 'execute' && subject.command !== undefined);
  const byWords = path && run ? strongest(subject.files.map((file) => namesPath(path, file))) : 'no';
  // A command may read what it names; whether it also changes it is not known.
  const byCommand = byWords === 'yes' && !['any', 'read'].includes(about.kind) ? 'maybe' : byWords;
  if (!isKind) return byCommand;
  if (command) return run ? isAbout(command, run) : 'maybe';
  if (!path) return 'yes';
  const named = [...paths, ...alsoNamed];
  if (named.length === 0 && !run) return about.kind === 'any' ? 'no' : 'maybe';
  return named.some((each) => isAboutPath(path, each)) ? 'yes' : byCommand;
}

function strongest(matches: readonly Match[]): Match {
  return matches.includes('yes') ? 'yes' : matches.includes('maybe') ? 'maybe' : 'no';
}

/**
 * Whether an `allow` vouches for what the agent wants, or for one program of it. In doubt it does not; and never for what
 * lies outside the roots.
 */
export function permits({rule, command, path}: ReadRule, subject: RuleSubject, part?: CommandPart): boolean {
  const {about} = rule;
  const {agent, kind, tool, paths, alsoNamed, guarded} = subject;
  if (!isNamed(about.agent, agent.label) || !isNamed(about.tool, tool)) return false;
  if (about.kind !== 'any' && about.kind !== kind) return false;
  if ([...paths, ...alsoNamed].some(({real}) => real === undefined)) return false;
  if (!guarded.every((match) => opens({rule, command, path}, match))) return false;
  if (command) return part !== undefined && vouchesFor(command, part);
  if (path) return paths.length > 0 && paths.every((each) => vouchesForPath(path, each));
  return true;
}

/**
 * Whether an `allow` of the user opens a protected path: its pattern has the protected names in it, letter by letter (`edit
 * .claude/**`, not `edit **`), or is exactly the command.
 */
function opens({rule, command, path}: ReadRule, {pattern}: ProtectedMatch): boolean {
  if (rule.source === 'project') return false;
  if (command) return command.isExact;
  return path !== undefined && pattern.test(withoutWildcards(path.exactly).toLowerCase());
}

function isNamed(pattern: string | undefined, name: string | undefined): boolean {
  return pattern === undefined || (name !== undefined && fits(textGlob(pattern), name));
}
