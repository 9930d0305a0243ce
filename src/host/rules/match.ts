import {basename} from 'node:path/posix';
import type {ToolKind} from '@agentclientprotocol/sdk/unstable';
import type {PermissionRule, RuleEffect} from '../../session/requests/permission-rules.ts';
import {isWithin} from '../../shared/files/folders.ts';
import {folded, type ProtectedMatch} from '../../session/requests/protected-paths.ts';
import {
  matchesGlob,
  textGlob,
  withoutWildcards,
  pathGlob,
  type Glob,
  hasWildcard,
  literalStart,
} from '../../shared/glob.ts';
import type {CommandReading, Program} from './read-command.ts';
import {
  hostWithPort,
  type PatternBases,
  type RuleTarget,
  type TargetHost,
  type TargetPath,
} from './rule-target.ts';

/** `maybe`: too little is known about what happens to say no. */
type Match = 'yes' | 'maybe' | 'no';

/** A parsed rule. */
interface ReadRule {
  readonly rule: PermissionRule;
  readonly command: CommandPattern | undefined;
  readonly path: PathPattern | undefined;
  readonly host: Glob | undefined;
}

function readRule(rule: PermissionRule, bases: PatternBases): ReadRule {
  const {kind, pattern} = rule.about;
  const read = {rule, command: undefined, path: undefined, host: undefined};
  if (pattern === undefined) return read;
  if (kind === 'execute') return {...read, command: commandPattern(pattern)};
  if (kind === 'network') return {...read, host: textGlob(pattern.toLowerCase())};
  return {...read, path: pathPattern(rule.effect, pattern, bases)};
}

/** True if a `deny` or `ask` rule applies to the operation. In doubt it does. */
function restricts(read: ReadRule, subject: RuleTarget): Match {
  const {command, path} = read;
  const {about} = read.rule;
  const {agent, kind, claimed, tool, paths, command: run} = subject;
  const names = [agent.label, agent.claimed ?? agent.label];
  if (!names.some((name) => isNamed(about.agent, name)) || !isNamed(about.tool, tool)) return 'no';
  if (isOfNetwork(read, subject)) return isAboutHost(read, subject.host) ? 'yes' : 'no';
  // A request with a command is an execution, whatever kind it claims.
  const isAboutKind = (of: readonly ToolKind[]) =>
    about.kind === 'any' || about.kind === claimed || of.some((each) => each === about.kind);
  const isKind =
    isAboutKind([kind]) ||
    paths.some(({kinds = []}) => isAboutKind(kinds)) ||
    (about.kind === 'execute' && subject.command !== undefined);
  const byWords = path && run ? namesPath(path, subject) : 'no';
  // A command may read what it names; whether it also changes it is unknown.
  const byCommand = byWords === 'yes' && !['any', 'read'].includes(about.kind) ? 'maybe' : byWords;
  if (!isKind) return byCommand;
  if (command) return run ? isAbout(command, run) : 'maybe';
  if (!path) return 'yes';
  if (paths.length === 0 && !run) return about.kind === 'any' ? 'no' : 'maybe';
  const applies = (each: TargetPath) => isAboutKind(each.kinds ?? [kind]) && isAboutPath(path, each);
  return paths.some(applies) ? 'yes' : byCommand;
}

/** True if an `allow` rule covers the operation, or one of its programs. In doubt it does not, and never outside the roots. */
function permits(read: ReadRule, subject: RuleTarget, program?: Program): boolean {
  const {rule, command, path} = read;
  const {agent, kind, claimed = kind, tool, paths, guarded, command: run} = subject;
  if (!isNamed(rule.about.agent, agent.label) || !isNamed(rule.about.tool, tool)) return false;
  if (isOfNetwork(read, subject)) return isAboutHost(read, subject.host) && mayLeadTo(read, subject.host);
  const isKind = (of: ToolKind | undefined = kind) => [of, 'any'].includes(rule.about.kind);
  const changed = new Set(paths.map(({kinds, real}) => kinds && real));
  // A file of which no change is shown may be what the request claims to be about.
  const isAllowed = ({kinds, real}: TargetPath) =>
    isKind(kinds?.[0]) && (isKind(claimed) || changed.has(real));
  if (!isKind() || !paths.every(isAllowed)) return false;
  // What a command does with the files that a request names, or whether it leaves others alone, is unknown.
  if (run && (path || !isKind('execute'))) return false;
  if (paths.some(({real}) => real === undefined)) return false;
  if (!guarded.every((match) => opens(read, match))) return false;
  if (command) return program !== undefined && vouchesFor(command, program);
  const about = paths.filter(({aside}) => !aside);
  // What an edit is in is not what it changes.
  const isAround = ({kinds, real}: TargetPath) =>
    kind === 'edit' && !kinds && about.some((each) => isBelow(each.real, real));
  if (path) return about.length > 0 && paths.every((each) => vouchesForPath(path, each) || isAround(each));
  return true;
}

function isBelow(path: string | undefined, folder: string | undefined): boolean {
  return path !== undefined && folder !== undefined && path !== folder && isWithin(path, folder);
}

function isOfNetwork({rule: {about}}: ReadRule, {host}: RuleTarget): boolean {
  return host !== undefined || about.kind === 'network';
}

/** A host with its port; an IPv6 address has to be in brackets then. */
const WITH_PORT = /^(?:\[.*\]|[^:]*):\d+$/;

/** True if a rule is about connections, and about this host. */
function isAboutHost({rule, host, path}: ReadRule, target: TargetHost | undefined): boolean {
  const {about} = rule;
  if (!target || path || (about.kind !== 'network' && about.kind !== 'any')) return false;
  if (host === undefined) return true;
  return matchesGlob(host, WITH_PORT.test(rule.about.pattern ?? '') ? hostWithPort(target) : target.name);
}

/** An address of this computer or its network is allowed only by a rule of the user that names it. */
function mayLeadTo({rule, host}: ReadRule, target: TargetHost | undefined): boolean {
  return !target?.isPrivate || (host !== undefined && !hasWildcard(host) && rule.source !== 'project');
}

/**
 * True if an `allow` rule of the user covers a protected path: its pattern contains the protected name literally (`edit .claude/**`, not `edit **`), or is
 * exactly the command.
 */
function opens({rule, command, path}: ReadRule, {pattern}: ProtectedMatch): boolean {
  if (rule.source === 'project') return false;
  if (command) return command.isExact;
  return path !== undefined && pattern.test(folded(withoutWildcards(path.inFolder.exactly)));
}

function isNamed(pattern: string | undefined, name: string | undefined): boolean {
  return pattern === undefined || (name !== undefined && matchesGlob(textGlob(pattern), name));
}

/** A pattern of paths. */
interface PathPattern {
  /** The session's folder. */
  readonly cwd: string;
  readonly inFolder: PathGlobs;
  /** For paths outside that folder. */
  readonly elsewhere: PathGlobs;
}

interface PathGlobs {
  readonly exactly: Glob;
  /** Paths inside a matching folder. */
  readonly beneath: Glob;
}

/**
 * `~/` is the home folder; a pattern that begins with neither that nor `/` is relative to the session's folder: a single name matches at any depth, as in
 * .gitignore, a path only from there. What `deny` and `ask` rules name is restricted everywhere, by any spelling. A `/` at the end matches everything in a folder.
 */
function pathPattern(effect: RuleEffect, written: string, places: PatternBases): PathPattern {
  const [pattern = '', cwd = '', home = ''] = [written, places.cwd, places.home].map((text) =>
    effect === 'allow' ? text : folded(text),
  );
  const folder = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const bases = {cwd: escaped(cwd), home: escaped(home)};
  const inFolder = pathGlobs(absolute(folder, bases));
  // The names of the folders above the session's do not count.
  const [, name] = /^(?:\*\*\/)?([^/]+)$/.exec(pattern) ?? [];
  const isEverywhere = effect !== 'allow' && name !== undefined;
  return {cwd, inFolder, elsewhere: isEverywhere ? pathGlobs(`/**/${name}`) : inFolder};
}

function pathGlobs(whole: string): PathGlobs {
  return {exactly: pathGlob(whole), beneath: pathGlob(`${whole}/**`)};
}

function globsFor({cwd, inFolder, elsewhere}: PathPattern, path: string): PathGlobs {
  return path === cwd || path.startsWith(cwd.endsWith('/') ? cwd : `${cwd}/`) ? inFolder : elsewhere;
}

function absolute(pattern: string, {cwd, home}: PatternBases): string {
  if (pattern.startsWith('/')) return pattern;
  if (pattern.startsWith('~/')) return home + pattern.slice(1);
  if (pattern.startsWith('./')) return cwd + pattern.slice(1);
  return pattern.includes('/') ? `${cwd}/${pattern}` : `${cwd}/**/${pattern}`;
}

function escaped(folder: string): string {
  return folder.replace(/\/$/, '').replace(/[\\*?]/g, String.raw`\$&`);
}

/** True if an `allow` rule covers this path: only inside the roots, and only by its resolved path. */
function vouchesForPath({inFolder}: PathPattern, {real}: TargetPath): boolean {
  return real !== undefined && matchesGlob(inFolder.exactly, real);
}

/** True if a `deny` or `ask` rule applies to this path, by any of its names, or to a folder above it. */
function isAboutPath(pattern: PathPattern, {named, real}: TargetPath): boolean {
  return [named, real ?? named].map(folded).some((path) => {
    const {exactly, beneath} = globsFor(pattern, path);
    return matchesGlob(exactly, path) || matchesGlob(beneath, path);
  });
}

/** True if a word of a command names what a `deny` or `ask` rule applies to, or its folder; files are `folded`. In a command that is not plain, any word may. */
function namesPath(pattern: PathPattern, {files, namesMore, command}: RuleTarget): Match {
  const isNamed = (path: string) => {
    const {exactly, beneath} = globsFor(pattern, path);
    return [path, `${path}/`].some((each) => matchesGlob(exactly, each)) || matchesGlob(beneath, path);
  };
  const named = files.filter(({path}) => isNamed(path));
  if (named.some(({isCertain}) => isCertain)) return 'yes';
  return named.length > 0 || namesMore || command?.unresolved !== undefined ? 'maybe' : 'no';
}

/** A pattern of commands. */
interface CommandPattern {
  /** Alternatives: a pattern that ends in ` *` also matches the command without arguments. */
  readonly globs: readonly Glob[];
  readonly isExact: boolean;
  /** What it begins with, before its first wildcard. */
  readonly start: string;
}

function commandPattern(pattern: string): CommandPattern {
  const whole = textGlob(pattern);
  const alone = pattern.endsWith(' *') ? [textGlob(pattern.slice(0, -2))] : [];
  return {globs: [whole, ...alone], isExact: !hasWildcard(whole), start: literalStart(whole)};
}

/** True if an `allow` rule covers this program. */
function vouchesFor({globs, isExact}: CommandPattern, {words, line, startsOthers}: Program): boolean {
  if (words.includes(undefined) || (startsOthers && !isExact)) return false;
  return globs.some((glob) => matchesGlob(glob, line));
}

/** True if a `deny` or `ask` rule applies to a program of this command. What it may apply to: any command that is not plain, and one that mentions such a program. */
function isAbout(pattern: CommandPattern, {programs, text, unresolved}: CommandReading): Match {
  const lines = programs.flatMap(linesOf);
  if (lines.some((line) => pattern.globs.some((glob) => matchesGlob(glob, line)))) return 'yes';
  if (programs.some(({startsOthers, line}) => startsOthers && mentions(line, pattern))) return 'yes';
  return unresolved !== undefined || mentions(text, pattern) ? 'maybe' : 'no';
}

/** `/bin/rm` also matches as `rm`. */
function linesOf({words: [name = ''], line}: Program): string[] {
  return name.includes('/') && line.startsWith(name)
    ? [line, basename(name) + line.slice(name.length)]
    : [line];
}

/**
 * True if words anywhere in a command are those that a pattern begins with: a program may start what its arguments name. Letter case does not matter, since
 * it does not for programs on some file systems.
 */
function mentions(text: string, {start, isExact}: CommandPattern): boolean {
  if (start === '') return false;
  const sought = ` ${wordsOf(start)}${isExact ? ' ' : ''}`.toLowerCase();
  const all = ` ${wordsOf(text)} `.toLowerCase();
  // `-Orm` may be the option `-O` with a program.
  if (all.includes(sought) || all.replaceAll(/ -[A-Za-z]/g, ' ').includes(sought)) return true;
  return hasAmongOptions(text.toLowerCase().split(/[\s;|&<>(){}$`'"]+/), sought);
}

/**
 * True if these words follow each other with options between them, each of which may have a value: `git -C x push`. All that is reached in the pattern is
 * followed at once, so that the time is linear.
 */
function hasAmongOptions(words: readonly string[], sought: string): boolean {
  const [first = '', ...others] = sought.trim().split(' ');
  const isPart = !sought.endsWith(' ');
  const isWanted = (word: string, index: number) =>
    isPart && index === others.length - 1 ? word.startsWith(others[index] ?? '') : word === others[index];
  let reached: ReadonlySet<number> = new Set();
  let isBehindOption = false;
  for (const word of words) {
    const isOption = word.startsWith('-');
    const next = new Set<number>();
    for (const place of reached) {
      const index = place === BEGUN ? 0 : place;
      if (isWanted(word, index)) next.add(index + 1);
      // What follows an option may be its value.
      if (isOption || (isBehindOption && place !== BEGUN)) next.add(index);
    }
    if (next.has(others.length)) return others.length > 0;
    if (` ${wordsOf(word)}`.endsWith(` ${first}`)) next.add(BEGUN);
    reached = next;
    isBehindOption = isOption;
  }
  return false;
}

/** Only the first word was found, just before: an option that it is part of (`--run=git`) has no other value. */
const BEGUN = -1;

function wordsOf(text: string): string {
  return text.replaceAll(/[\s;|&<>(){}[\]$`'"\\=:,@!/]+/g, ' ').trimStart();
}

/** The decision of rules or of a hook, and which ones made it. */
export interface RuleVerdict {
  readonly effect: RuleEffect;
  /** For the user: `rule: execute npm test* (user)`, `hook: ./check.sh (user): not on Fridays`. */
  readonly by: string;
}

/** Parsed rules. */
export interface RuleSet {
  /** True if a rule has a command pattern. */
  readonly readsCommands: boolean;
  readonly isEmpty: boolean;
  /** True if a rule may restrict reading. */
  readonly restrictsReading: boolean;
  /** Undefined if no rule applies: the next layer decides. */
  decide(subject: RuleTarget): RuleVerdict | undefined;
}

/**
 * An applicable `deny` wins, then `ask`, then `allow`, wherever they come from. A `deny` or `ask` that may apply to a command asks. A command is
 * allowed if each program that it starts is.
 */
export function createRuleSet(rules: readonly PermissionRule[], bases: PatternBases): RuleSet {
  const read = rules.map((rule) => readRule(rule, bases));
  const ofEffect = (effect: RuleEffect) => read.filter(({rule}) => rule.effect === effect);
  const deny = ofEffect('deny');
  const ask = ofEffect('ask');
  const allow = ofEffect('allow');
  return {
    readsCommands: read.some(({command}) => command !== undefined),
    isEmpty: rules.length === 0,
    restrictsReading: [...deny, ...ask].some(({rule: {about}}) => ['read', 'any'].includes(about.kind)),
    decide(asked) {
      // Once, since there may be thousands.
      const files = asked.files.map((file) => ({...file, path: folded(file.path)}));
      const subject = {...asked, files};
      const restricting = [...deny, ...ask].map((rule) => ({rule, match: restricts(rule, subject)}));
      const first = (match: Match) => restricting.find((each) => each.match === match)?.rule;
      const certain = first('yes');
      if (certain) return {effect: certain.rule.effect, by: nameOf([certain])};
      const inDoubt = first('maybe');
      if (inDoubt) return {effect: 'ask', by: `${nameOf([inDoubt])}, which may apply`};
      const allowing = allowedBy(allow, subject);
      return allowing && {effect: 'allow', by: nameOf(allowing)};
    },
  };
}

/** The rules that together allow it; undefined if a part is not covered. */
function allowedBy(allow: readonly ReadRule[], subject: RuleTarget): readonly ReadRule[] | undefined {
  const whole = allow.find((rule) => permits(rule, subject));
  if (whole) return [whole];
  const {command} = subject;
  if (!command || command.unresolved !== undefined || command.programs.length === 0) return undefined;
  const each = command.programs.map((program) => allow.find((rule) => permits(rule, subject, program)));
  return each.every((rule) => rule !== undefined) ? [...new Set(each)] : undefined;
}

function nameOf(rules: readonly ReadRule[]): string {
  const names = rules.map(({rule: {text, source}}) => `${text} (${source})`);
  return `${names.length === 1 ? 'rule' : 'rules'}: ${names.join(', ')}`;
}
