import {realpath, stat} from 'node:fs/promises';
import {homedir} from 'node:os';
import {isAbsolute, dirname, join} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {APPROVAL_LEVELS, type ApprovalLevel} from '../../session/actions.ts';
import type {ReportedCommand} from '../../session/requests/command-fields.ts';
import type {ProtectedMatch} from '../../session/requests/protected-paths.ts';
import type {HostContext} from '../host-context.ts';
import {joinParts, NO_PARTS, splitCommand, type CommandParts} from '../rules/commands.ts';
import {fileAt, namedFiles} from '../rules/files/named-files.ts';
import {createWordReader, isUnknown} from '../rules/files/word-shapes.ts';
import {writeTargets} from '../rules/files/write-targets.ts';
import type {Bases, TargetPath, NamedFile} from '../rules/rule-target.ts';
import {NO_PATH, type WrittenFiles} from '../rules/protected.ts';
import {loadShellGrammar} from '../rules/shell-parser.ts';
import type {DeniedRequest} from '../services.ts';
import {unwrapped} from '../terminals/same-command.ts';
import {isSystemShell} from '../terminals/system-shell.ts';
import type {Access, PermissionSubject} from './subject.ts';

/** Number of words of a command that are resolved as links. */
const MAX_LINKS = 300;

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
 * Rules of the user and of a trusted folder decide first, then the level, then what the user allowed for the session; only a rule that names a protected path
 * allows it.
 */
export async function evaluatePolicy(
  context: HostContext,
  subject: PermissionSubject,
): Promise<PolicyDecision> {
  const {options, level, rules, grants, findProtected} = context;
  const {access, kind, tool, paths, alsoNamed = []} = subject;
  const command = commandsOf(subject).length === 0 ? undefined : await partsOf(context, subject);
  const reads = command && readsCommands(context) ? command : undefined;
  const files = reads ? await filesIn(context, subject, reads) : [];
  const written = reads && (await writtenBy(context, subject, reads));
  const named = [...paths, ...alsoNamed];
  const guarded =
    access.type === 'read'
      ? []
      : [...findProtected(named, files, written), ...(await inGitFolders(named, files))];
  const agent = {label: options.agent.label, claimed: options.agent.claimed()};
  const byRule = rules.decide({agent, kind, tool, paths, alsoNamed, command, files, guarded});
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
  const byLevel = decideByLevel(access, level);
  const given = byLevel.effect === 'ask' ? grants.forSession(subject) : undefined;
  const decided: Verdict = given ? {effect: 'allow', by: `your answer "${given.answer}"`} : byLevel;
  return {...decided, isByRule: false, remedy: lowestLevel(access), rule: undefined, unresolved};
}

/** Git directories are detected by content, since they may have any name. */
async function inGitFolders(
  named: readonly TargetPath[],
  files: readonly NamedFile[],
): Promise<readonly ProtectedMatch[]> {
  const ofCommand = files.flatMap(({path, isCertain}) => (isCertain && path !== undefined ? [path] : []));
  const paths = [...named.map(({named, real}) => real ?? named), ...ofCommand.slice(0, MAX_LINKS)];
  const found = await pathsInGitFolders(paths);
  return found.slice(0, 1).map((path) => ({shown: `${path} (git hooks and settings)`, pattern: NO_PATH}));
}

/** What a command writes, with links resolved. */
async function writtenBy(
  context: HostContext,
  subject: PermissionSubject,
  command: CommandParts,
): Promise<WrittenFiles> {
  const {targets, spreads, unnamed} = writeTargets(command);
  const shapesOf = createWordReader(command, basesOf(context, subject));
  const unknown = targets.filter((target) => isUnknown(shapesOf(target))).map(({typed}) => typed);
  const folders = spreads.length === 0 ? [] : await filesIn(context, subject, {...command, texts: spreads});
  return {unknown, folders, unnamed};
}

function basesOf({roots}: HostContext, {cwd = roots.cwd}: PermissionSubject): Bases {
  return {cwd, home: homedir()};
}

/** Files that the words of a command may name, with links resolved. */
async function filesIn(
  context: HostContext,
  subject: PermissionSubject,
  command: CommandParts,
): Promise<readonly NamedFile[]> {
  const files = namedFiles(command, basesOf(context, subject));
  const named = files.filter(({isCertain}) => isCertain).slice(0, MAX_LINKS);
  const real = await Promise.all(
    named.map(async ({path}) => (path === undefined ? undefined : realpath(path).catch(() => undefined))),
  );
  const elsewhere = real.filter((path, index) => path !== undefined && path !== named[index]?.path);
  return [...files, ...elsewhere.flatMap((path) => (path === undefined ? [] : [fileAt(path)]))];
}

/** If neither a rule nor the level decides about commands, they are asked about without being parsed. */
function readsCommands({rules, level}: HostContext): boolean {
  return !rules.isEmpty || level === 'all';
}

const opaque = (unresolved: string): CommandParts => ({...NO_PARTS, unresolved, isOpaque: true});

function commandsOf({command, alsoRun = []}: PermissionSubject): readonly ReportedCommand[] {
  return command === undefined ? alsoRun : [command, ...alsoRun];
}

async function partsOf(context: HostContext, subject: PermissionSubject): Promise<CommandParts> {
  const {roots, options} = context;
  const {cwd, changedBy} = subject;
  if (!readsCommands(context)) return opaque('no rule asks for it');
  const grammar = await loadShellGrammar().catch(() => undefined);
  if (!grammar) return opaque('the shell grammar could not be loaded');
  const lookup = {cwd: cwd ?? roots.cwd, path: options.env['PATH']};
  // A relative path may refer to another file if the line changes the folder first.
  const isShell = (word: string) => (isAbsolute(word) || !word.includes('/')) && isSystemShell(word, lookup);
  const lineOf = (command: ReportedCommand) =>
    unwrapped(command, lookup).findLast((form) => typeof form === 'string') ?? command;
  const parts = joinParts(
    commandsOf(subject).map((command) => splitCommand(lineOf(command), {grammar, isShell})),
  );
  const unresolved = changedBy ?? (subject.command === undefined ? 'it is unclear how it is run' : undefined);
  return unresolved === undefined ? parts : {...parts, unresolved, isOpaque: true};
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
  const known = new Map<string, Promise<boolean>>();
  function isIn(folder: string): Promise<boolean> {
    const answer = known.get(folder) ?? isInGitFolder(folder);
    known.set(folder, answer);
    return answer;
  }
  async function isInGitFolder(folder: string): Promise<boolean> {
    if (await isGitFolder(folder)) return true;
    // A working tree may lie inside its own repository.
    if (dirname(folder) === folder || (await exists(join(folder, '.git')))) return false;
    return isIn(dirname(folder));
  }
  const found = await Promise.all(paths.map(isIn));
  return paths.filter((_, index) => found[index]);
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
