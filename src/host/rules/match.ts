import {basename} from 'node:path/posix';
import type {PermissionRule} from '../../session/requests/permission-rules.ts';
import type {ProtectedMatch} from '../../session/requests/protected-paths.ts';
import {quoteWord} from '../../text/shell-quote.ts';
import {type CommandPart, type CommandParts, mayLaunch} from './commands.ts';
import {
  matchesGlob,
  textGlob,
  withoutWildcards,
  intersects,
  pathGlob,
  type Glob,
  hasWildcard,
} from './glob.ts';
import type {Bases, RuleTarget, TargetPath, NamedFile} from './rule-target.ts';

/** `maybe`: what will happen is not known well enough to say no. */
type Match = 'yes' | 'maybe' | 'no';

/** A rule, read once. */
interface ReadRule {
  readonly rule: PermissionRule;
  readonly command: CommandPattern | undefined;
  readonly path: PathPattern | undefined;
}

function readRule(rule: PermissionRule, bases: Bases): ReadRule {
  const {kind, pattern} = rule.about;
  const isCommand = kind === 'execute';
  return {
    rule,
    command: isCommand && pattern !== undefined ? commandPattern(pattern) : undefined,
    path: !isCommand && pattern !== undefined ? pathPattern(pattern, bases) : undefined,
  };
}

/** True if a `deny` or `ask` is about what the agent wants. In doubt it is. */
function restricts({rule: {about}, command, path}: ReadRule, subject: RuleTarget): Match {
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
 * True if an `allow` vouches for what the agent wants, or for one program of it. In doubt it does not; and never for what
 * lies outside the roots.
 */
function permits({rule, command, path}: ReadRule, subject: RuleTarget, part?: CommandPart): boolean {
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
 * True if an `allow` of the user opens a protected path: its pattern has the protected names in it, letter by letter (`edit
 * .claude/**`, not `edit **`), or is exactly the command.
 */
function opens({rule, command, path}: ReadRule, {pattern}: ProtectedMatch): boolean {
  if (rule.source === 'project') return false;
  if (command) return command.isExact;
  return path !== undefined && pattern.test(withoutWildcards(path.exactly).toLowerCase());
}

function isNamed(pattern: string | undefined, name: string | undefined): boolean {
  return pattern === undefined || (name !== undefined && matchesGlob(textGlob(pattern), name));
}

/** A pattern of paths. */
interface PathPattern {
  readonly exactly: Glob;
  /** What lies beneath. */
  readonly beneath: Glob;
}

/**
 * `~/` is the home folder, and what begins with neither that nor `/` is meant in the session's folder: a name alone at any
 * depth, as in .gitignore, a path from that folder on. A `/` at the end means all that lies in a folder.
 */
function pathPattern(pattern: string, {cwd, home}: Bases): PathPattern {
  const folder = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const whole = absolute(folder, {cwd: escaped(cwd), home: escaped(home)});
  return {exactly: pathGlob(whole), beneath: pathGlob(`${whole}/**`)};
}

function absolute(pattern: string, {cwd, home}: Bases): string {
  if (pattern.startsWith('/')) return pattern;
  if (pattern.startsWith('~/')) return home + pattern.slice(1);
  if (pattern.startsWith('./')) return cwd + pattern.slice(1);
  return pattern.includes('/') ? `${cwd}/${pattern}` : `${cwd}/**/${pattern}`;
}

function escaped(folder: string): string {
  return folder.replace(/\/$/, '').replace(/[\\*?]/g, String.raw`\$&`);
}

/** Whether an `allow` vouches for this path: only inside the roots, and for the place where it really leads. */
function vouchesForPath({exactly}: PathPattern, {real}: TargetPath): boolean {
  return real !== undefined && matchesGlob(exactly, real);
}

/** True if a `deny` or `ask` is about this path, by any of its names, or about a folder above it. */
function isAboutPath({exactly, beneath}: PathPattern, {named, real}: TargetPath): boolean {
  return [named, real ?? named].some((path) => matchesGlob(exactly, path) || matchesGlob(beneath, path));
}

/** True if a word of a command names what a `deny` or `ask` is about, or the folder that it is about. */
function namesPath({exactly, beneath}: PathPattern, {path, glob, isCertain}: NamedFile): Match {
  if (!isCertain) return intersects(exactly, glob) ? 'maybe' : 'no';
  const isNamed =
    path === undefined
      ? intersects(exactly, glob) || intersects(beneath, glob)
      : [path, `${path}/`].some((each) => matchesGlob(exactly, each)) || matchesGlob(beneath, path);
  return isNamed ? 'yes' : 'no';
}

/** A pattern of commands. */
interface CommandPattern {
  /** Several ways to read it: one that ends in ` *` also fits the command without arguments. */
  readonly globs: readonly Glob[];
  /** What its first word is. */
  readonly program: Glob;
  readonly isExact: boolean;
}

function commandPattern(pattern: string): CommandPattern {
  const [program = ''] = /^(?:\\[^]|[^\s\\])+/.exec(pattern) ?? [];
  const whole = textGlob(pattern);
  const alone = pattern.endsWith(' *') ? [textGlob(pattern.slice(0, -2))] : [];
  return {globs: [whole, ...alone], program: textGlob(program), isExact: !hasWildcard(whole)};
}

/** True if an `allow` vouches for this part. */
function vouchesFor({globs, isExact}: CommandPattern, part: CommandPart): boolean {
  if (part.isWrapper && !isExact) return false;
  return !part.words.includes(undefined) && globs.some((glob) => matchesGlob(glob, part.line));
}

/** True if a `deny` or `ask` is about this command, wherever in it. */
function isAbout(pattern: CommandPattern, command: CommandParts): Match {
  const all = [...command.parts, ...command.hidden];
  if (all.some((part) => linesOf(part).some((line) => pattern.globs.some((glob) => matchesGlob(glob, line)))))
    return 'yes';
  const isMaybe = command.isOpaque || all.some((part) => mayFit(pattern, part) || mayStart(pattern, part));
  return isMaybe ? 'maybe' : 'no';
}

/** `/bin/rm` is `rm` as well. */
function linesOf({words, line}: CommandPart): string[] {
  const [name = ''] = words;
  return name.includes('/') && line.startsWith(name)
    ? [line, basename(name) + line.slice(name.length)]
    : [line];
}

/** True if an unknown program may start the one in the pattern, because it is among its arguments. */
function mayStart({program, globs}: CommandPattern, {words}: CommandPart): boolean {
  const [first] = words;
  if (first === undefined || !mayLaunch(basename(first))) return false;
  return words.some((word, index) => {
    if (index === 0 || word === undefined || !matchesGlob(program, basename(word))) return false;
    const line = [basename(word), ...words.slice(index + 1).map((each) => quoteWord(each ?? ''))].join(' ');
    return globs.some((glob) => matchesGlob(glob, line));
  });
}

/** Where only the shell knows a word, the program decides. */
function mayFit({program}: CommandPattern, {words}: CommandPart): boolean {
  if (!words.includes(undefined)) return false;
  const [name] = words;
  return name === undefined || matchesGlob(program, name) || matchesGlob(program, basename(name));
}

/** What rules say, and which ones. */
interface RuleVerdict {
  readonly effect: PermissionRule['effect'];
  /** For the user: `rule: execute npm test* (user)`. */
  readonly by: string;
}

/** Rules that were read. */
export interface RuleSet {
  /** True if a rule has a pattern of commands, so that commands have to be taken apart. */
  readonly readsCommands: boolean;
  readonly isEmpty: boolean;
  /** True if a rule may keep an agent from reading. */
  readonly restrictsReading: boolean;
  /** Undefined when no rule is about it: the next layer decides. */
  decide(subject: RuleTarget): RuleVerdict | undefined;
}

/**
 * Any `deny` that is about it wins, then any `ask`, then `allow`, wherever they come from. A `deny` or `ask` that may be about
 * a command that cannot be resolved asks. A command is allowed when each program that it starts is.
 */
export function createRuleSet(rules: readonly PermissionRule[], bases: Bases): RuleSet {
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
      if (inDoubt) return {effect: 'ask', by: `${nameOf([inDoubt])}, which may apply`};
      const allowing = allowedBy(allow, subject);
      return allowing && {effect: 'allow', by: nameOf(allowing)};
    },
  };
}

/** The rules that together allow it; undefined when something is left that none does. */
function allowedBy(allow: readonly ReadRule[], subject: RuleTarget): readonly ReadRule[] | undefined {
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
