import {homedir} from 'node:os';
import {fileURLToPath} from 'node:url';
import {holdsCommand} from '../session/command-fields.ts';
import {patchedFiles} from '../session/patched-files.ts';
import type {KnownToolCall} from './services.ts';

/** What of a tool call names a file or a command, wherever an agent may put it. */
export interface ToldPaths {
  /** Files by their diffs and locations: what the request is about. Relative ones as they came. */
  readonly paths: readonly string[];
  /** Files that its input and the links in its content name. */
  readonly alsoNamed: readonly string[];
  readonly hasCommand: boolean;
}

type ToldFields = {
  readonly [Field in 'content' | 'locations' | 'rawInput']: KnownToolCall[Field] | undefined;
};

/** Fields of an input whose text is a path, and those whose text is something else even where it looks like one. */
const PATH_FIELD = /path|file|dir|folder|cwd|uri|root|location|^(?:src|dst|dest|source|target|from|to)$/i;
const TEXT_FIELD =
  /content|text|string|_str$|str_|^(?:body|message|prompt|description|explanation|reason|query|regex|patch|diff|title|kind|type)$/i;
/** Fields whose text may be a patch, which names the files that it changes; one of them is none at all. */
const PATCH_FIELD = /patch|diff|^input$|^$/i;

const MOST_STRINGS = 1000;
const DEEPEST = 8;

/** Returns what a tool call names; its kind and its title are words of the agent, and say nothing. */
export function toldPaths(call: Partial<ToldFields>): ToldPaths {
  const {content, locations, rawInput} = call;
  const found = {paths: new Set<string>(), left: MOST_STRINGS};
  visit(rawInput, {field: '', depth: 0}, found);
  const parts = content ?? [];
  const links = parts.flatMap((part) => (part.type === 'content' ? linksOf(part.content) : []));
  return {
    paths: [
      ...parts.flatMap((part) => (part.type === 'diff' ? [part.path] : [])),
      ...(locations ?? []).map(({path}) => path),
    ].map(asPath),
    alsoNamed: [...found.paths, ...links.map(asPath)],
    hasCommand: holdsCommand(call),
  };
}

interface Found {
  readonly paths: Set<string>;
  left: number;
}

function visit(value: unknown, at: {readonly field: string; readonly depth: number}, found: Found): void {
  const {field, depth} = at;
  if (value === undefined || value === null || value === '') return;
  if (typeof value === 'string' && PATCH_FIELD.test(field))
    for (const path of patchedFiles(value)) found.paths.add(asPath(path));
  if (typeof value === 'string') return visitText(value, field, found);
  if (typeof value !== 'object') return;
  // What is too much to be looked through may name anything.
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

/** What tools may take off a path before they use it is taken off here, too. */
function addPath(text: string, {paths}: Found): void {
  const path = bare(text);
  if (path === '' || /^(?!file:)[a-z][a-z\d+.-]+:\/\//i.test(path)) return;
  paths.add(asPath(path));
  if (text.trim() !== path) paths.add(asPath(text.trim()));
}

/** Without blanks, quotes and signs around it. */
function bare(text: string): string {
  return text.replace(/^[\s"'`@<({[]+(?=\S)/, '').replace(/[\s"'`>]+$/, '');
}

/** Absolute, at home, in a variable, going up, or an address of a file. */
function isPathLike(text: string): boolean {
  const isPath = /^(?:\/|~|\$\{?\w+\}?\/|\.\.?\/|\.\.$|file:)|\/\.\.(?:\/|$)/i.test(text);
  return isPath && !text.includes('\n');
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

/** An address of a file and `~` as the path that they mean. What names nobody knows which file is one outside all folders: `$X/a`. */
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
