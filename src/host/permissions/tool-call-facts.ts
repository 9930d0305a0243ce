import {homedir} from 'node:os';
import {isAbsolute, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {
  commandsIn,
  type ReportedCommand,
  holdsCommand,
  isPathLike,
} from '../../session/requests/command-fields.ts';
import {plainTitle} from '../../session/labels/plain-title.ts';
import {changesInInput} from '../../session/requests/patched-files.ts';
import {changesOf, runInput} from '../../session/requests/run-input.ts';
import {OWN_CALL} from '../../session/transcript/call-ids.ts';
import {fileChangeOf, type FileChange} from '../../session/transcript/diffs.ts';
import {mergeFields} from '../../session/transcript/patches.ts';
import type {Roots} from '../files/roots.ts';
import type {TargetPath} from '../rules/rule-target.ts';
import type {KnownToolCall} from '../services.ts';
import {randomUUID} from 'node:crypto';

/** The facts of a permission request, combined from the request and earlier updates of its tool call. */
interface ToolCallFacts {
  /** As claimed, except that a change of a file is an edit and nothing more harmless, and that what deletes or moves one is that. */
  readonly kind: acp.ToolKind;
  readonly title: string;
  /** The tool's own name, if known. */
  readonly tool: string | undefined;
  /** All that it names, absolute: first what it is about. */
  readonly paths: readonly TargetPath[];
  /** True if every path it names lies inside the roots. */
  readonly insideRoots: boolean;
  /** True if it contains a command, whatever its kind. */
  readonly hasCommand: boolean;
  /** The command in `rawInput`: a line or its words; undefined if there is none. */
  readonly run: string | readonly string[] | undefined;
  /** Other commands in its input, in any field. */
  readonly alsoRun: readonly ReportedCommand[];
  /** Variables in its input that may change the command. */
  readonly changedBy: string | undefined;
  /** The folder that a command runs in, absolute. */
  readonly cwd: string;
}

/** Merges an update into a known tool call ("Tool Calls"), as the session does that shows it. */
export function mergeToolCall(
  call: KnownToolCall & Pick<acp.ToolCallUpdate, '_meta'>,
  known: KnownToolCall | undefined,
): KnownToolCall {
  const {title = null, kind = null, content = null, locations = null, ...others} = mergeFields(call, known);
  return {...others, title, kind, content, locations};
}

/**
 * Returns the facts of a request.
 * @param folder the folder of the subagent that asks, if it differs from its session's
 */
export async function toolCallFacts(
  call: KnownToolCall,
  sessionRoots: Roots,
  folder: string | undefined,
): Promise<ToolCallFacts> {
  const roots = rootsIn(sessionRoots, folder);
  const reported = reportedPaths(call);
  const input = runInput(call.rawInput);
  const changes = changesOf(call.rawInput);
  const runsIn = reported.hasCommand && folder !== undefined ? [{path: folder, aside: 'input' as const}] : [];
  const paths = await placesOf([...reported.paths, ...runsIn], roots);
  return {
    kind: reported.kind,
    title: plainTitle(call) ?? '',
    tool: call.name ?? undefined,
    paths,
    insideRoots: paths.every(({real}) => real !== undefined),
    hasCommand: reported.hasCommand,
    run: input?.command,
    alsoRun: commandsIn(input ? input.beside : call.rawInput).commands,
    changedBy: changes.length > 0 ? `it sets ${changes.join(', ')}` : undefined,
    cwd: resolve(roots.cwd, input?.folder ?? '.'),
  };
}

/** Kinds that change no file. */
const HARMLESS_KINDS: ReadonlySet<acp.ToolKind> = new Set(['read', 'search', 'think']);

/** Kinds that a deletion or a move may claim; the others are decided like it. */
const KINDS_OF_CHANGES: ReadonlySet<acp.ToolKind> = new Set([...HARMLESS_KINDS, 'edit', 'other']);

function kindOf(claimed: acp.ToolKind, does: ReadonlySet<FileChange['does']>): acp.ToolKind {
  const most = (['other', 'delete', 'move'] as const).find((each) => does.has(each));
  if (most !== undefined && KINDS_OF_CHANGES.has(claimed)) return most;
  return does.size > 0 && HARMLESS_KINDS.has(claimed) ? 'edit' : claimed;
}

/** The kinds of what a change does to a path: a move also deletes where it moves from, and writes where it moves to. */
const KINDS: Readonly<Record<FileChange['does'], Readonly<Record<'path' | 'oldPath', acp.ToolKind[]>>>> = {
  edit: {path: ['edit'], oldPath: ['edit']},
  delete: {path: ['delete'], oldPath: ['delete']},
  move: {path: ['move', 'edit'], oldPath: ['move', 'delete']},
  copy: {path: ['edit'], oldPath: ['read']},
  other: {path: ['other'], oldPath: ['other']},
};

/** Returns the files of a change, with what is done to them. */
function pathsOf({does, path, oldPath}: FileChange): NamedPath[] {
  const old = oldPath === undefined ? [] : [{path: asPath(oldPath), kinds: KINDS[does].oldPath}];
  return [{path: asPath(path), kinds: KINDS[does].path}, ...old];
}

/** Returns the same roots for a subagent, whose working folder need not be inside them. */
export function rootsIn(roots: Roots, folder: string | undefined): Roots {
  return folder === undefined ? roots : {...roots, cwd: folder};
}

function placesOf(paths: readonly NamedPath[], roots: Roots): Promise<readonly TargetPath[]> {
  return Promise.all(
    paths.map(async ({path, ...others}) => {
      const place = await roots.confine(absolute(path, roots));
      return {...others, named: resolve(roots.cwd, path), real: place.ok ? place.value.path : undefined};
    }),
  );
}

/** Resolves a path in the session's folder. Joined as text, since node:path resolves `..` before links. */
export function absolute(path: string, {cwd}: Roots): string {
  return isAbsolute(path) ? path : `${cwd}/${path}`;
}

interface NamedPath extends Pick<TargetPath, 'kinds' | 'aside'> {
  /** Absolute, or relative to the session's folder. */
  readonly path: string;
}

/** Files and commands that a tool call names, wherever an agent may put them. */
interface ReportedPaths {
  /** Relative ones unchanged. */
  readonly paths: readonly NamedPath[];
  readonly hasCommand: boolean;
  /** See `ToolCallFacts`. */
  readonly kind: acp.ToolKind;
}

type ReportedFields = {
  readonly [Field in 'content' | 'locations' | 'rawInput' | 'kind']: KnownToolCall[Field] | undefined;
};

/** Input fields that contain a path, and fields that contain something else even if it looks like one. */
const PATH_FIELD = /path|file|dir|folder|cwd|uri|root|location|^(?:src|dst|dest|source|target|from|to)$/i;
const TEXT_FIELD =
  /content|text|string|_str$|str_|^(?:body|message|prompt|description|explanation|reason|query|regex|patch|diff|title|kind|type)$/i;

const MAX_STRINGS = 1000;
const DEEPEST = 8;

/** Returns what a tool call names; its kind and title are only claims of the agent. */
function reportedPaths(call: Partial<ReportedFields>): ReportedPaths {
  const {content, locations, rawInput} = call;
  const claimed = call.kind ?? 'other';
  const found: Found = {paths: new Set(), left: MAX_STRINGS};
  visit(rawInput, {field: '', depth: 0}, found);
  const parts = content ?? [];
  const links = parts.flatMap((part) => (part.type === 'content' ? linksOf(part.content) : []));
  const changes = parts.flatMap((part) => fileChangeOf(part, claimed) ?? []);
  const about = [...changes.flatMap(pathsOf), ...(locations ?? []).map(({path}) => ({path: asPath(path)}))];
  const named = new Set([...about.map(({path}) => path), ...found.paths]);
  // In a diff of absolute paths, what stands before the first slash takes the place of the root.
  const patches = changesInInput(rawInput);
  const patched = patches.flatMap(pathsOf).map(({path, kinds}) => ({
    path: named.has(`/${path}`) ? `/${path}` : path,
    kinds,
    aside: 'input' as const,
  }));
  return {
    paths: [
      ...about,
      ...patched,
      ...Array.from(found.paths, (path) => ({path, aside: 'input' as const})),
      ...links.map((link) => ({path: asPath(link), aside: 'link' as const})),
    ],
    hasCommand: holdsCommand(call),
    kind: kindOf(claimed, new Set([...patches, ...changes].map(({does}) => does))),
  };
}

interface Found {
  readonly paths: Set<string>;
  left: number;
}

function visit(value: unknown, at: {readonly field: string; readonly depth: number}, found: Found): void {
  const {field, depth} = at;
  if (value === undefined || value === null || value === '') return;
  if (typeof value === 'string') return visitText(value, field, found);
  if (typeof value !== 'object') return;
  // An input too large to search may name anything.
  if (depth > DEEPEST || found.left <= 0) return void found.paths.add('/');
  for (const [key, each] of Object.entries(value)) {
    found.left -= 1;
    if (Array.isArray(value)) visit(each, {field, depth: depth + 1}, found);
    else {
      if (isPathLike(key)) found.paths.add(asPath(key));
      visit(each, {field: key, depth: depth + 1}, found);
    }
  }
}

function visitText(text: string, field: string, found: Found): void {
  if (PATH_FIELD.test(field) && !(TEXT_FIELD.test(field) && text.includes('\n'))) {
    for (const line of text.split(/[\r\n]+/)) addPath(line, found);
  } else if (TEXT_FIELD.test(field) ? /^\s*file:/i.test(text) : isPathLike(bare(text))) addPath(text, found);
}

/** Strips what tools may strip from a path before they use it. */
function addPath(text: string, {paths}: Found): void {
  const path = bare(text);
  if (path === '' || /^(?!file:)[a-z][a-z\d+.-]+:\/\//i.test(path)) return;
  paths.add(asPath(path));
  if (text.trim() !== path) paths.add(asPath(text.trim()));
}

/** Without surrounding blanks, quotes and punctuation. */
function bare(text: string): string {
  return text.replace(/^[\s"'`@<({[]+(?=\S)/, '').replace(/(?<![\s"'`>])[\s"'`>]+$/, '');
}

function linksOf(block: {
  readonly type: string;
  readonly uri?: unknown;
  readonly resource?: unknown;
}): readonly string[] {
  const {resource} = block;
  const inner =
    typeof resource === 'object' && resource !== null && 'uri' in resource ? resource.uri : undefined;
  return [block.uri, inner].filter(
    (uri): uri is string =>
      typeof uri === 'string' && (/^file:/i.test(uri) || !/^[a-z][a-z\d+.-]*:/i.test(uri)),
  );
}

/** Resolves `file:` URLs and `~` to a path. A path that cannot be resolved, such as `$X/a`, becomes one outside the workspace. */
function asPath(text: string): string {
  if (/^file:/i.test(text)) {
    try {
      return fileURLToPath(text);
    } catch {
      return `/${text}`;
    }
  }
  if (/^~(?:\/|$)/.test(text)) return homedir() + text.slice(1);
  return /^(?:~|\$\{?\w)/.test(text) ? `/${text}` : text;
}

export type ToolCallDescription = Omit<acp.ToolCallUpdate, 'toolCallId' | 'status'>;

/** Returns a new id for a tool call created by the host. */
export function hostToolCallId(): acp.ToolCallId {
  return `${OWN_CALL}${randomUUID()}`;
}
