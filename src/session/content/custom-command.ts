import {fail, type Result} from '../../shared/failure.ts';
import {isPlainWord, quoteWord} from '../../text/shell-quote.ts';
import {NOTATIONS, splitAtBraces, type CommandNotation, type Notation} from './command-notation.ts';
import {maxOf} from '../../text/lists.ts';

/** A slash command of the user's: a prompt in a file, with places for its arguments. */
export interface CustomCommand {
  /** Without the slash; folders come first: `git:commit`. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string | undefined;
  /** Whose it is: `yours`, `this folder`, `Claude Code`. */
  readonly from: string;
  /** Set before the prompt is sent; only in acp-tui's own files. */
  readonly mode?: string | undefined;
  readonly model?: string | undefined;
  /** The only agent that it is meant for. */
  readonly agent?: string | undefined;
  readonly prompt: string;
  /** How places are written in it; acp-tui's own by default. */
  readonly notation?: CommandNotation;
  /** Set if its file is a link: the real path of what was read. */
  readonly target?: string;
  /** Set if the user has to see it before it is used: it comes with a project. */
  readonly askFirst?: CommandFile;
}

/** A command file with exactly this content. */
export interface CommandFile {
  readonly file: string;
  readonly hash: string;
}

/** A prompt with the arguments in their places: text, and commands whose output belongs there. */
type PromptPart = string | {readonly command: string};

/** What a file says. */
export type CommandDefinition = Omit<CustomCommand, 'name' | 'from' | 'notation' | 'target' | 'askFirst'>;

const FRONT_MATTER = /^---[ \t]*\r?\n([^]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/;
const FIELD = /(?<![^\n])([\w-]+):([^\n]*)/g;

/** Reads a Markdown file with front matter, as Claude Code, Codex and opencode have it. Its fields need not be YAML. */
export function readMarkdownCommand(text: string): CommandDefinition {
  const [front = '', lines = ''] = FRONT_MATTER.exec(text) ?? [];
  const fields = new Map<string, string>();
  for (const [, key = '', value = ''] of lines.matchAll(FIELD)) {
    const plain = value.trim().replace(/^(["'])([^]*)\1$/, '$2');
    if (plain !== '') fields.set(key.toLowerCase(), plain);
  }
  const prompt = text.slice(front.length).trim();
  return {
    description: fields.get('description') ?? firstLine(prompt),
    argumentHint: fields.get('argument-hint'),
    mode: fields.get('mode'),
    model: fields.get('model'),
    agent: fields.get('agent'),
    prompt,
  };
}

/** Reads the fields of a TOML file of Gemini CLI, whose `@{file}` becomes a mention. */
export function readTomlCommand({prompt, description}: Readonly<Record<string, unknown>>): CommandDefinition {
  if (typeof prompt !== 'string') return {description: '', prompt: ''};
  const mentioned = splitAtBraces(prompt.trim(), '@{').map((part, index) =>
    index % 2 === 0 ? part : `@${/\s/.test(part) ? `"${part}"` : part}`,
  );
  const plain = mentioned.join('');
  return {description: typeof description === 'string' ? description : firstLine(plain), prompt: plain};
}

function firstLine(prompt: string): string {
  return /[^\s#].*/.exec(prompt)?.[0] ?? '';
}

const WORDS = /([A-Z][A-Z0-9_]*=)?(?:"([^"]*)"|'([^']*)')|(\S+)/g;

/** What was typed behind a command. */
interface Typed {
  readonly argument: string;
  readonly words: readonly string[];
  /** The highest number of a place. */
  readonly last: number;
}

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Puts the arguments of a command into its prompt; without a place for them, they follow it. In commands they are quoted, so that none becomes another command;
 * where that is not certain, only plain words are accepted.
 */
export function expandCommand(
  {name, prompt, notation: kind = 'own'}: Pick<CustomCommand, 'name' | 'prompt' | 'notation'>,
  argument: string,
): Result<readonly PromptPart[]> {
  const notation = NOTATIONS[kind];
  const places = [...prompt.matchAll(notation.places)].map(({groups = {}}) => groups);
  const words = [...argument.matchAll(WORDS)].map(
    ([, key = '', double, single, plain]) => key + (double ?? single ?? plain ?? ''),
  );
  const typed = {argument, words, last: maxOf(places.map(numberOf), 0)};
  const missing = places.filter((place) => place['name'] !== undefined && !wordsAt(place, notation, typed));
  if (missing.length > 0) {
    const names = [...new Set(missing.map((place) => `${place['name']}=…`))];
    return fail({kind: 'not_offered', what: `/${name}`, why: `it needs ${names.join(' ')}`});
  }
  let isUsed = false;
  const wordsOf = (place: Groups) => {
    const value = wordsAt(place, notation, typed);
    isUsed ||= value !== undefined;
    return value;
  };
  const parts: PromptPart[] = [];
  for (const [index, part] of notation.split(prompt).entries()) {
    if (index % 2 === 0) parts.push(filledText(part, {notation, typed, wordsOf}));
    else {
      const command = filledCommand(part, {notation, wordsOf});
      if (command === undefined)
        return fail({
          kind: 'not_offered',
          what: `an argument like this in ${part}`,
          why: 'it cannot be quoted there',
        });
      parts.push({command});
    }
  }
  const rest = argument === '' || isUsed ? [] : [`\n\n${notation.appended(argument, name)}`];
  return {ok: true, value: [...parts, ...rest].filter((part) => part !== '')};
}

const numberOf = ({at, atIndex = at}: Groups): number => Number(atIndex ?? 0);

/** Returns the arguments that belong to a place; undefined if there are none. */
function wordsAt(place: Groups, notation: Notation, {argument, words, last}: Typed): string[] | undefined {
  const {all, name} = place;
  if (all !== undefined) return notation.all === 'one word' && argument !== '' ? [argument] : [...words];
  const key = `${name}=`;
  const from = numberOf(place) - notation.first;
  const to = notation.hasRestInLast && numberOf(place) === last ? words.length : from + 1;
  const found =
    name === undefined
      ? words.slice(Math.max(from, 0), Math.max(to, 0))
      : words.filter((word) => word.startsWith(key)).map((word) => word.slice(key.length));
  return found.length === 0 ? undefined : found;
}

interface Filling {
  readonly notation: Notation;
  readonly wordsOf: (this: void, place: Groups) => readonly string[] | undefined;
}

function filledText(text: string, {notation, typed, wordsOf}: Filling & {readonly typed: Typed}): string {
  return text.replaceAll(notation.places, (...match: unknown[]) => {
    const [written, groups] = [match[0] as string, match.at(-1) as Groups];
    if (groups['literal'] !== undefined) return groups['literal'];
    const words = wordsOf(groups);
    if (groups['all'] !== undefined && notation.all !== 'words') return typed.argument;
    return words?.join(' ') ?? (notation.missing.inText === 'kept' ? written : '');
  });
}

/** Where quotes may not be what they seem: substitutions, expansions with an operator, here-documents, comments. */
const NESTED = /\$[({]|<<|\$'|`|(?:^|\s)#/;
/** Programs that read words, or what is piped into them, as code. A list cannot be complete. */
const INTERPRETERS: ReadonlySet<string> = new Set(
  [
    'sh bash dash zsh ksh mksh ash fish csh tcsh busybox alias eval trap ssh su runuser parallel watch script flock expect tmux screen',
    'perl python pypy ruby irb node deno bun php lua luajit julia R Rscript octave gnuplot tclsh wish osascript pwsh powershell groovy scala elixir erl ghci guile',
    'make sqlite psql mysql gdb lldb vi vim nvim ex ed emacs emacsclient dc',
  ]
    .join(' ')
    .split(' '),
);
/** Settings of git whose values it runs. */
const GIT_CODE = /\b(?:alias|core|pager)\./;
const GIT: ReadonlySet<string> = new Set(['git']);
/** Programs that read words as code, but not what is piped into them. */
const FILTERS: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk', 'sed', 'gsed']);

/** True if a part of a command may run one of these programs, also from a path, or of a version. */
function runs(programs: ReadonlySet<string>, text: string): boolean {
  const words = text.split(/[\s;&|()<>`'"\\={}]+/);
  return words.some((word) =>
    programs.has(word.slice(word.lastIndexOf('/') + 1).replace(/(?<![\d.-])[\d.-]+$/, '')),
  );
}

/** Puts words into a shell command, quoted as their place needs it; undefined if that is not certain. */
function filledCommand(text: string, {notation, wordsOf}: Filling): string | undefined {
  const isCode = NESTED.test(text) || runs(INTERPRETERS, text) || (GIT_CODE.test(text) && runs(GIT, text));
  const tokens = new RegExp(String.raw`${notation.places.source}|\\.|[^]`, 'g');
  let [quote, filled, scanned, isFilter] = ['', '', 0, false];
  for (const {0: token, index, groups = {}} of text.matchAll(tokens)) {
    const {literal, ...place} = groups as Groups;
    const isShells = quote === "'" && notation.respectsSingleQuotes === true;
    if (!isShells && Object.values(place).some((value) => value !== undefined)) {
      const words = wordsOf(place) ?? [];
      isFilter ||= runs(FILTERS, text.slice(scanned, index));
      scanned = index;
      if ((isCode || isFilter) && !words.every(isPlainWord)) return undefined;
      filled += words.length === 0 && notation.missing.inCommand === 'kept' ? token : quoted(words, quote);
      continue;
    }
    if (quote === '' && /^[;&|\n]$/.test(token)) [scanned, isFilter] = [index, false];
    if (quote === "'" && token.startsWith('\\') && token.endsWith("'")) quote = '';
    else if (token === quote) quote = '';
    else if (quote === '' && (token === '"' || token === "'")) quote = token;
    filled += literal !== undefined && quote === "'" && !isShells ? literal : token;
  }
  return filled;
}

function quoted(words: readonly string[], quote: string): string {
  if (quote === '"') return words.join(' ').replaceAll(/[\\"$`]/g, String.raw`\$&`);
  if (quote === "'") return words.join(' ').replaceAll("'", String.raw`'\''`);
  return words.map(quoteWord).join(' ');
}

/** Returns the commands that a prompt runs. */
export function commandsIn(parts: readonly PromptPart[]): readonly string[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [] : [part.command]));
}

/** Returns a prompt with the output of its commands, in their order. */
export function withOutputs(parts: readonly PromptPart[], outputs: readonly string[]): string {
  const left = [...outputs];
  return parts.map((part) => (typeof part === 'string' ? part : (left.shift() ?? ''))).join('');
}

/** A custom command as it was typed. */
export interface CustomCall {
  readonly command: CustomCommand;
  readonly argument: string;
}

/** Returns the custom command that a text calls, with its argument; undefined for any other text. */
export function customCall(text: string, commands: readonly CustomCommand[]): CustomCall | undefined {
  const [, name, argument = ''] = /^\/(\S+)(?:\s+([^]*))?$/.exec(text) ?? [];
  const command = commands.find((each) => each.name === name);
  return command && {command, argument: argument.trim()};
}

/** True for a text that calls one of these commands. Names of agents' commands may contain blanks. */
export function callsAnyCommand(text: string, commands: readonly {readonly name: string}[]): boolean {
  return commands.some(
    ({name}) => text.startsWith(`/${name}`) && /^(?:$|\s)/.test(text.slice(name.length + 1)),
  );
}
