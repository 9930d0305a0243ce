import {basename, dirname, relative} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {OfferedAnswers} from '../../session/state.ts';
import {quoteWords} from '../../text/shell-quote.ts';
import {isSameCommand, type ExactCommand} from '../terminals/same-command.ts';
import {hostWithPort, type TargetHost, type TargetPath} from '../rules/rule-target.ts';
import type {PermissionSubject, ToolIdentity} from './subject.ts';

/** What the user allowed for the session, with an option of the kind `allow_always`. */
export type SessionScope =
  /** Every edit inside the roots, or inside these files and folders, resolved; by another tool than one to edit only if it is that of this call. */
  | {readonly kind: 'edits'; readonly places: readonly string[] | undefined; readonly call: ToolIdentity}
  /** Reads and searches inside the roots. */
  | {readonly kind: 'reads'}
  /** Beside it are the files that were shown with it, resolved. */
  | {readonly kind: 'command'; readonly command: ExactCommand; readonly beside: readonly ResolvedPath[]}
  | {readonly kind: 'tool'; readonly call: ToolIdentity}
  /** As by `coveredBy`. */
  | {readonly kind: 'host'; readonly host: string};

type ResolvedPath = TargetPath['real'];

/** What an `allow_always` answer to a request allows, with a line about it. */
interface GivenScope {
  readonly scope: SessionScope;
  readonly covers: string;
}

/**
 * Returns what an answer for the session covers: the kind of thing that the request showed, and never more than the option says. Undefined if that is nothing
 * beyond the request itself, or not even that.
 * @param shown `diffed`: the files inside the roots that its diffs change, resolved
 */
export function sessionScope(
  subject: PermissionSubject,
  answer: string,
  shown: {readonly diffed: readonly string[]; readonly cwd: string},
): GivenScope | undefined {
  const given = scopeOf(subject, answer, shown);
  return given && covers(given.scope, subject) ? given : undefined;
}

function scopeOf(
  subject: PermissionSubject,
  answer: string,
  {diffed, cwd}: Parameters<typeof sessionScope>[2],
): GivenScope | undefined {
  const {access, kind, exactly, command, call} = subject;
  if (access.type === 'connection') {
    const host = coveredBy(access.host);
    return {scope: {kind: 'host', host}, covers: `connections to ${host}`};
  }
  if (access.type !== 'permission') return undefined;
  if (access.hasCommand) {
    if (!exactly || command === undefined) return undefined;
    const line = typeof command === 'string' ? command : quoteWords(command);
    const scope = {kind: 'command', command: exactly, beside: besideCommand(subject)} as const;
    return {scope, covers: `the command ${line}`};
  }
  // An edit that claims to be something harmless.
  if (call?.kind !== kind) return undefined;
  if (diffed.length > 0 && (kind === 'edit' || kind === 'other')) {
    const places = placesIn(answer, diffed);
    const names = places?.map((place) => relative(cwd, place) || '.').join(', ');
    return {
      scope: {kind: 'edits', places, call},
      covers: names === undefined ? 'all edits' : `edits of ${names}`,
    };
  }
  if (kind === 'read' || kind === 'search') return {scope: {kind: 'reads'}, covers: 'reads and searches'};
  if (kind !== 'fetch' && kind !== 'think' && kind !== 'other') return undefined;
  const tool = call.tool === undefined ? `"${call.title}"` : `the tool ${call.tool}`;
  return {scope: {kind: 'tool', call}, covers: isOnlySame(call) ? `the same call of ${tool}` : tool};
}

/** Returns what is said of the options of a request, if any of them lasts. */
export function coverageOf(
  subject: PermissionSubject,
  options: readonly acp.PermissionOption[],
  shown: Parameters<typeof sessionScope>[2],
): Pick<OfferedAnswers, 'covers'> {
  const isLasting = ({kind}: acp.PermissionOption) => kind === 'allow_always';
  if (!options.some(isLasting)) return {};
  const covers = options.map((option) => {
    const lasts = isLasting(option) || subject.access.type === 'connection';
    return (lasts && sessionScope(subject, option.name, shown)?.covers) || '';
  });
  return {covers};
}

/** What an answer about a connection holds for: of this computer and its network a single port, since each is another program. */
export function coveredBy(host: TargetHost): string {
  return host.isPrivate ? hostWithPort(host) : host.name;
}

/** The files or folders to which an option limits itself: "Yes, and don't ask again for these files". */
function placesIn(answer: string, files: readonly string[]): readonly string[] | undefined {
  if (/\b(?:folder|director(?:y|ies))\b|\w\//i.test(answer))
    return [...new Set(files.map((file) => dirname(file)))];
  const words = new Set(answer.split(/[\s"'`“”,;:()]+/));
  const isAboutFiles = /\b(?:this|these|that) (?:file|change|edit)s?\b/i.test(answer);
  return isAboutFiles || files.some((file) => words.has(basename(file))) ? files : undefined;
}

/** True if an operation is what was allowed. Neither a rule nor a protected path asks about it. */
export function covers(scope: SessionScope, subject: PermissionSubject): boolean {
  const {access, exactly, kind, call, paths} = subject;
  if (scope.kind === 'host') return access.type === 'connection' && coveredBy(access.host) === scope.host;
  if (scope.kind === 'command') {
    const isShown = (real: ResolvedPath) => real !== undefined && scope.beside.includes(real);
    if (changesFile(subject) || !besideCommand(subject).every(isShown)) return false;
    return exactly !== undefined && isSameCommand(scope.command, exactly);
  }
  if (access.type !== 'write' && access.type !== 'permission') return false;
  if (!access.insideRoots || call?.input === '') return false;
  if (access.type === 'permission' && access.hasCommand) return false;
  switch (scope.kind) {
    case 'edits':
      return isEdit(subject, scope.call) && paths.every(({real}) => isIn(scope.places, real));
    case 'reads':
      return kind === 'search' || (kind === 'read' && paths.length > 0);
    case 'tool':
      return call !== undefined && isSameTool(scope.call, call) && !changesFile(subject);
  }
}

/** The files that a request names beside its command, of which the input is compared. */
function besideCommand({paths}: PermissionSubject): readonly ResolvedPath[] {
  return paths.filter(({aside}) => aside !== 'input').map(({real}) => real);
}

/** True if nothing but edits of files is requested: of a kind for that, or all of them shown, by the tool that was allowed to. */
function isEdit({kind, call, paths}: PermissionSubject, allowed: ToolIdentity): boolean {
  if (kind !== 'other') return kind === 'edit' && paths.length > 0;
  const edited = new Set(paths.filter(({kinds}) => kinds?.[0] === 'edit').map(({real}) => real));
  const isShown = edited.size > 0 && paths.every(({real}) => edited.has(real));
  return isShown && call !== undefined && isSameTool(allowed, call);
}

function changesFile({paths}: PermissionSubject): boolean {
  return paths.some(({kinds}) => kinds !== undefined);
}

function isIn(places: readonly string[] | undefined, path: string | undefined): boolean {
  return places?.some((place) => path === place || path?.startsWith(`${place}/`)) ?? true;
}

/** An address of any kind: `//` or `\\\\`, of mail, of the internet protocol, or a field that names one. */
const ADDRESS =
  /[\\/]{2}|[\w.-]@[\w-]|\b\d+(?:\.\d+){3}\b|"(?:ur[il]|link|href|host(?:name)?|domain|endpoint|server|address|to|ip|webhook)s?":/i;

/** True for a call that allows no other input, since its tool is not known, or the input holds an address: what is sent there was not allowed. */
function isOnlySame({kind, tool, input}: ToolIdentity): boolean {
  return tool === undefined || kind === 'fetch' || ADDRESS.test(input);
}

function isSameTool(approved: ToolIdentity, call: ToolIdentity): boolean {
  if (call.kind !== approved.kind || call.input === '') return false;
  if (approved.title === call.title && approved.input === call.input) return true;
  return call.tool === approved.tool && !isOnlySame(approved) && !isOnlySame(call);
}
