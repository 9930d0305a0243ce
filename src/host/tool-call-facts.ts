import {isAbsolute, resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {commandForms} from './command-forms.ts';
import type {Roots} from './roots.ts';
import type {SubjectPath} from './rules/subject.ts';
import type {KnownToolCall} from './services.ts';

/** What a permission request is about, taken together from the request and from what was told of its tool call before. */
export interface ToolCallFacts {
  readonly kind: acp.ToolKind;
  readonly title: string;
  /** The tool's own name, where it is told. */
  readonly tool: string | undefined;
  /** The diff and location paths as they were named, made absolute, and where they lead. */
  readonly named: readonly SubjectPath[];
  /** The diff and location paths inside the roots, after links. */
  readonly paths: readonly string[];
  /** Whether that is all of them. */
  readonly insideRoots: boolean;
  /** What `rawInput` says will be run: a line or its words; undefined when it does not. */
  readonly run: string | readonly string[] | undefined;
  /** The ways to write `rawInput.command`; empty when there is none. */
  readonly command: ReadonlySet<string>;
  /** `rawInput.cwd` after links, where the request tells one. */
  readonly cwd: string | undefined;
}

export async function toolCallFacts(
  request: KnownToolCall,
  known: KnownToolCall | undefined,
  roots: Roots,
): Promise<ToolCallFacts> {
  const content = request.content ?? known?.content ?? [];
  const locations = request.locations ?? known?.locations ?? [];
  const all = [
    ...content.flatMap((each) => (each.type === 'diff' ? [each.path] : [])),
    ...locations.map(({path}) => path),
  ];
  const places = await Promise.all(all.map((path) => roots.confine(absolute(path, roots))));
  const paths = places.map((place) => (place.ok ? place.value.path : undefined));
  const input = asRecord(request.rawInput ?? known?.rawInput);
  return {
    kind: request.kind ?? known?.kind ?? 'other',
    title: request.title ?? known?.title ?? '',
    tool: request.name ?? known?.name ?? undefined,
    named: all.map((path, index) => ({named: resolve(roots.cwd, path), real: paths[index]})),
    paths: paths.filter((path) => path !== undefined),
    insideRoots: !paths.includes(undefined),
    run: commandOf(input),
    command: isCommand(input.command) ? commandForms(input.command) : new Set(),
    cwd: typeof input.cwd === 'string' ? await realFolder(input.cwd, roots) : undefined,
  };
}

/** A folder outside the roots keeps its name, and no command of ours runs there. */
async function realFolder(path: string, roots: Roots): Promise<string> {
  const place = await roots.confine(absolute(path, roots));
  return place.ok ? place.value.path : path;
}

/** Joined as text: `..` behind a link is not what node:path makes of it. */
function absolute(path: string, {cwd}: Roots): string {
  return isAbsolute(path) ? path : `${cwd}/${path}`;
}

/** Some agents tell a program and its arguments apart. */
function commandOf({command, args}: Readonly<Record<string, unknown>>): ToolCallFacts['run'] {
  if (!isCommand(command)) return undefined;
  if (args === undefined || args === null || typeof command !== 'string') return command;
  return Array.isArray(args) && args.every((each) => typeof each === 'string')
    ? [command, ...args]
    : undefined;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? {...value} : {};
}

function isCommand(value: unknown): value is string | string[] {
  return (
    typeof value === 'string' || (Array.isArray(value) && value.every((word) => typeof word === 'string'))
  );
}
