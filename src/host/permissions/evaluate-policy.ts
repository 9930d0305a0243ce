import {stat} from 'node:fs/promises';
import {homedir} from 'node:os';
import {dirname, join} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {APPROVAL_LEVELS, type ApprovalLevel} from '../../session/settings/approval.ts';
import {RULE_EFFECTS} from '../../session/requests/permission-rules.ts';
import {shellLines, type ReportedCommand} from '../../session/requests/command-fields.ts';
import {folded, type ProtectedMatch} from '../../session/requests/protected-paths.ts';
import type {HostContext} from '../host-context.ts';
import {followLinks, isTooLong, MAX_PATH} from '../files/roots.ts';
import {MAX_CHARACTERS, namedFiles} from '../rules/named-files.ts';
import type {RuleSet, RuleVerdict} from '../rules/match.ts';
import {joinReadings, readCommand, type CommandReading} from '../rules/read-command.ts';
import type {RuleTarget, TargetPath} from '../rules/rule-target.ts';
import {loadShellGrammar} from '../rules/shell-grammar.ts';
import type {RequestedOperation, DeniedRequest} from '../services.ts';
import {unwrapCommand} from '../terminals/same-command.ts';
import type {Access, PermissionSubject} from './subject.ts';

/** Of more files that a command or a request names, the others are not read. */
const MAX_FILES = 2000;
/** Hooks are not asked about each of more files. */
const MAX_PARTS = 50;

export interface PolicyDecision {
  readonly effect: 'allow' | 'ask' | 'deny';
  /** What decided: `--approve edits`, or the rules. */
  readonly by: string;
  readonly isByRule: boolean;
  /** The lowest level that would have allowed it; undefined if none would, or a rule decided. */
  readonly remedy: DeniedRequest['allowedBy'];
  /** The rule that prevents auto-approval; undefined if none does. */
  readonly rule: DeniedRequest['rule'];
  /** Why it is uncertain what the command does, if it is. */
  readonly unresolved: string | undefined;
}

/**
 * Rules and hooks of the user and of a trusted folder decide first, then the level, then what the user allowed for the session; only a rule that names a protected path
 * allows it.
 */
export async function evaluatePolicy(
  context: HostContext,
  asked: PermissionSubject,
): Promise<PolicyDecision> {
  const {options, grants} = context;
  const rules = context.rules();
  const subject = withShortPaths(asked);
  const {access, kind, tool, paths} = subject;
  const command = isCommand(subject) ? await readingOf(context, subject, rules) : undefined;
  const files = command ? await filesIn(context, subject, command) : NO_FILES;
  const guarded = await guardedIn(context, subject, files);
  const agent = {label: options.agent.label, claimed: options.agent.claimed()};
  const host = access.type === 'connection' ? access.host : undefined;
  const claimed = subject.call?.kind;
  const target = {agent, kind, claimed, tool, paths, command, ...files, guarded, host};
  const decidedByRule = rules.decide(target);
  const byRule = strongest(
    decidedByRule,
    await decidedByHook(context, subject, {byRule: decidedByRule, guarded}),
    await hiddenBySandbox(context, subject),
    subject === asked ? undefined : TOO_LONG,
  );
  const unresolved = rules.readsCommands ? command?.unresolved : undefined;
  if (byRule) {
    const {effect, by: rule} = byRule;
    return {
      ...byRule,
      isByRule: true,
      remedy: undefined,
      rule: effect === 'allow' ? undefined : rule,
      unresolved,
    };
  }
  const [protectedPath] = guarded;
  if (protectedPath !== undefined) {
    const by = `protected path: ${protectedPath.shown}`;
    return {effect: 'ask', by, isByRule: false, remedy: undefined, rule: by, unresolved};
  }
  // The user may have changed the level while a hook decided.
  const byLevel = decideByLevel(access, context.level);
  const given = byLevel.effect === 'ask' ? grants.forSession(subject) : undefined;
  const decided: Verdict = given ? {effect: 'allow', by: `your answer "${given.answer}"`} : byLevel;
  return {...decided, isByRule: false, remedy: lowestLevel(access), rule: undefined, unresolved};
}

/** What programs in the sandbox cannot read, acp-tui neither reads nor writes for them: by another name, a rule about what is hidden would not know it. */
async function hiddenBySandbox(
  {options}: HostContext,
  {access, paths}: PermissionSubject,
): Promise<RuleVerdict | undefined> {
  if (!options.sandbox || (access.type !== 'read' && access.type !== 'write')) return undefined;
  if (access.type === 'write' && access.isDone) return undefined;
  const opened = await options.sandbox();
  const isReadable = ({real}: TargetPath) =>
    real === undefined || (opened.ok && opened.value.isReadable(real));
  return paths.every(isReadable) ? undefined : {effect: 'deny', by: 'the sandbox, which hides it'};
}

const TOO_LONG: RuleVerdict = {effect: 'ask', by: 'too many paths, or one longer than that of any file'};

/** Cuts paths that no file can have, and leaves out those of too many, so that deciding about them takes no longer; the same subject if there are none. */
function withShortPaths(subject: PermissionSubject): PermissionSubject {
  const isLong = ({named}: TargetPath) => isTooLong(named);
  const short = (path: TargetPath) =>
    isLong(path) ? {...path, named: path.named.slice(0, MAX_PATH), real: undefined} : path;
  let left = 2 * MAX_CHARACTERS;
  const first = subject.paths.slice(0, MAX_FILES).map(short);
  const paths = first.filter(({named, real = ''}) => (left -= named.length + real.length) >= 0);
  const isWhole = paths.length === subject.paths.length && !subject.paths.some(isLong);
  return isWhole ? subject : {...subject, paths};
}

/** Rules and hooks are equal: a no beats a question, and a question a yes. */
function strongest(...decided: readonly (RuleVerdict | undefined)[]): RuleVerdict | undefined {
  return RULE_EFFECTS.map((effect) => decided.find((each) => each?.effect === effect)).find(Boolean);
}

/** Each part is decided by itself: a hook sees one file at a time. It neither allows what names a protected path, nor what shows nothing. */
async function decidedByHook(
  {options, cancelling}: HostContext,
  subject: PermissionSubject,
  {byRule, guarded}: {readonly byRule: RuleVerdict | undefined; readonly guarded: readonly ProtectedMatch[]},
): Promise<RuleVerdict | undefined> {
  const {access} = subject;
  if (access.type === 'read' || access.type === 'connection' || byRule?.effect === 'deny') return undefined;
  const {signal} = cancelling;
  const operations = operationsOf(subject);
  const verdicts = await Promise.all(operations.map(async (each) => options.decideByHook?.(each, signal)));
  // A hook that was stopped might have said no.
  if (signal.aborted) return {effect: 'deny', by: 'the end of the turn'};
  // A command that is allowed may claim to be a read.
  const isRead = (index: number) => isCommand(subject) && operations[index]?.kinds.join() === 'read';
  const decided = verdicts.filter((verdict, index) => verdict || !isRead(index));
  const strictest = strongest(...decided);
  if (strictest?.effect !== 'allow') return strictest;
  const isBlank = access.type === 'permission' && access.isBlank;
  const isAllowed = decided.every(Boolean) && guarded.length === 0 && !isBlank;
  return isAllowed ? strictest : undefined;
}

/** Returns the parts of an operation for hooks: what is done to each file, and before that the command, or what is no change of them. */
function operationsOf(subject: PermissionSubject): readonly RequestedOperation[] {
  const {access, call, kind, paths, cwd, rawInput} = subject;
  const isRun = isCommand(subject);
  const isEach = kind === 'edit' || kind === 'delete' || kind === 'move' || kind === 'read';
  const byFile = new Map<string, Set<acp.ToolKind>>();
  for (const each of paths) {
    if (!each.kinds && !isEach) continue;
    const path = each.real ?? each.named;
    byFile.set(path, new Set([...(byFile.get(path) ?? []), ...(each.kinds ?? [kind])]));
  }
  const files = Array.from(byFile, ([path, kinds]) => ({path, kinds: [...kinds]}));
  const part = (of: Pick<RequestedOperation, 'kinds' | 'path'>, command?: string): RequestedOperation => ({
    ...of,
    kind,
    tool: subject.tool ?? call?.tool,
    title: call?.title,
    command,
    cwd,
    rawInput,
    isRequest: access.type === 'permission',
  });
  if (files.length > MAX_PARTS) {
    const does = [...(isRun ? (['execute'] as const) : []), kind, ...files.flatMap(({kinds}) => kinds)];
    const whole = part({kinds: [...new Set(does)], path: undefined}, shellLines(commandsOf(subject)));
    return [{...whole, isMany: true}];
  }
  const all = files.map((file) => part(file));
  if (!isRun && files.some(({kinds}) => kinds.includes(kind))) return all;
  const [first] = paths;
  const of = {
    kinds: isRun ? (['execute', kind] as const) : [kind],
    path: first && (first.real ?? first.named),
  };
  return [part(of, shellLines(commandsOf(subject))), ...all];
}

/** Returns the protected ones of the paths that a request names, and of the files that its command names. */
async function protectedBy(
  {findProtected}: HostContext,
  named: readonly TargetPath[],
  {files, namesMore}: FilesOfCommand,
): Promise<readonly ProtectedMatch[]> {
  if (namesMore) return [{shown: 'any file, in a command that is too long', pattern: NO_PATH}];
  const paths = named.flatMap(({named, real}) => [named, real ?? named]);
  const found = findProtected([...paths, ...files.map(({path}) => path)]);
  const certain = files.flatMap(({path, isCertain}) => (isCertain ? [path] : []));
  return [...found, ...(await inGitFolders([...paths, ...certain]))];
}

/** Returns what no level allows. What was written in the sandbox is run later by another name, if not by its own. */
async function guardedIn(
  context: HostContext,
  {access, paths}: PermissionSubject,
  files: FilesOfCommand,
): Promise<readonly ProtectedMatch[]> {
  if (access.type === 'read') return [];
  const found = await protectedBy(context, paths, files);
  if (access.type !== 'write' || !access.isDone) return found;
  const isFound = await Promise.all(
    paths.map(async (path) => (await protectedBy(context, [path], NO_FILES)).length > 0),
  );
  const others = paths.filter((_, index) => !isFound[index]);
  return [...found, ...others.map(({named}) => ({shown: named, pattern: literally(named)}))];
}

function literally(path: string): RegExp {
  return new RegExp(`^${folded(path).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
}

/** No path pattern can allow it. */
const NO_PATH = /(?!)/;

/** Git directories are detected by content, since they may have any name. */
async function inGitFolders(paths: readonly string[]): Promise<readonly ProtectedMatch[]> {
  const found = await pathsInGitFolders(paths);
  return found.slice(0, 1).map((path) => ({shown: `${path} (git hooks and settings)`, pattern: NO_PATH}));
}

type FilesOfCommand = Pick<RuleTarget, 'files' | 'namesMore'>;

const NO_FILES: FilesOfCommand = {files: []};

/** Files that the words of a command may name, with links resolved. Of too many only the first, those that it certainly names, so that what denies one still does. */
async function filesIn(
  {roots}: HostContext,
  {cwd = roots.cwd}: PermissionSubject,
  command: CommandReading,
): Promise<FilesOfCommand> {
  const named = namedFiles(command, {cwd, home: homedir()});
  const first = (named ?? []).slice(0, MAX_FILES);
  const certain = first.filter(({isCertain}) => isCertain);
  const resolved = await Promise.all(
    certain.map(async ({path, spelling, isCertain}) => {
      const real = (await followLinks(spelling)) ?? path;
      return {path: real, spelling: real, isCertain};
    }),
  );
  let left = 2 * MAX_CHARACTERS;
  const files = [...first, ...resolved].filter(({path}) => (left -= path.length) >= 0);
  return {files, namesMore: named === undefined || named.length > MAX_FILES || left < 0};
}

function commandsOf({command, alsoRun = []}: PermissionSubject): readonly ReportedCommand[] {
  return command === undefined ? alsoRun : [command, ...alsoRun];
}

function isCommand(subject: PermissionSubject): boolean {
  const {access} = subject;
  return commandsOf(subject).length > 0 || (access.type === 'permission' && access.hasCommand);
}

async function readingOf(
  {roots, options, level}: HostContext,
  subject: PermissionSubject,
  rules: RuleSet,
): Promise<CommandReading> {
  const {cwd, changedBy} = subject;
  const lookup = {cwd: cwd ?? roots.cwd, path: options.env['PATH']};
  const lineOf = (command: ReportedCommand) =>
    unwrapCommand(command, lookup).findLast((form) => typeof form === 'string') ?? command;
  // If neither a rule nor the level decides about commands, they are asked about without being parsed.
  const isParsed = !rules.isEmpty || level === 'all';
  const grammar = isParsed ? await loadShellGrammar().catch(() => undefined) : undefined;
  const reading = joinReadings(commandsOf(subject).map((command) => readCommand(lineOf(command), grammar)));
  const unresolved =
    changedBy ?? (subject.command === undefined ? 'it is unclear how it is run' : reading.unresolved);
  return {...reading, unresolved};
}

/** `by` names what decided, as the user configured it. */
interface Verdict {
  readonly effect: 'allow' | 'ask';
  readonly by: string;
}

/** The lowest level that auto-approves a tool call of this kind. */
const KINDS: Readonly<Record<acp.ToolKind, ApprovalLevel>> = {
  read: 'reads',
  search: 'reads',
  think: 'reads',
  edit: 'edits',
  delete: 'all',
  move: 'all',
  execute: 'all',
  fetch: 'all',
  switch_mode: 'all',
  other: 'all',
};

/** The table of docs/permissions.md. */
export function decideByLevel(access: Access, level: ApprovalLevel): Verdict {
  const lowest = lowestLevel(access);
  const isAllowed = lowest !== undefined && APPROVAL_LEVELS.indexOf(level) >= APPROVAL_LEVELS.indexOf(lowest);
  return {effect: isAllowed ? 'allow' : 'ask', by: `--approve ${level}`};
}

/** The lowest level that auto-approves it; undefined if none does. */
export function lowestLevel(access: Access): ApprovalLevel | undefined {
  if (access.type === 'command') return 'all';
  if (access.type === 'read') return 'none';
  if (access.type === 'connection') return access.host.isPrivate ? undefined : 'all';
  if (!access.insideRoots || (access.type === 'permission' && access.isBlank)) return undefined;
  if (access.type === 'write') return 'edits';
  // The kind that a tool call claims does not determine what a command does, or which file is read or changed.
  const isOfFile = access.kind === 'edit' || access.kind === 'read';
  const isUnknown = access.hasCommand || (isOfFile && !access.namesFile);
  return isUnknown && Object.hasOwn(KINDS, access.kind) ? 'all' : KINDS[access.kind];
}

/**
 * Returns those of the absolute paths that lie in a git directory of any name: a bare repository, or the target of a `.git` file. Its hooks and settings run
 * programs as those in `.git` do.
 */
async function pathsInGitFolders(paths: readonly string[]): Promise<readonly string[]> {
  const known = new Map<string, Promise<FoundFolder>>();
  function find(folder: string): Promise<FoundFolder> {
    const found = known.get(folder) ?? look(folder);
    known.set(folder, found);
    return found;
  }
  // From the top, so that a path costs nothing behind its first folder that is not there.
  async function look(folder: string): Promise<FoundFolder> {
    const parent = dirname(folder);
    const above = parent === folder ? {exists: true, isInGit: false} : await find(parent);
    if (!above.exists || !(await exists(folder))) return {...above, exists: false};
    if (await isGitFolder(folder)) return {exists: true, isInGit: true};
    // A working tree may lie inside its own repository.
    return {exists: true, isInGit: above.isInGit && !(await exists(join(folder, '.git')))};
  }
  const found = await Promise.all(paths.map((path) => find(path.slice(0, MAX_PATH))));
  return paths.filter((_, index) => found[index]?.isInGit);
}

interface FoundFolder {
  readonly exists: boolean;
  readonly isInGit: boolean;
}

/** What git accepts as a repository: gitrepository-layout(5). */
async function isGitFolder(folder: string): Promise<boolean> {
  if (!(await exists(join(folder, 'HEAD')))) return false;
  const [objects, refs, common] = await Promise.all(
    ['objects', 'refs', 'commondir'].map((name) => exists(join(folder, name))),
  );
  return Boolean(common || (objects && refs));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
