import {fail, type Result} from '../../shared/failure.ts';
import {isPlainWord, quoteWord} from '../../text/shell-quote.ts';

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
export type WrittenCommand = Omit<CustomCommand, 'name' | 'from' | 'askFirst'>;

const FRONT_MATTER = /^---[ \t]*\r?\n([^]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/;
const FIELD = /(?<![^\n])([\w-]+):([^\n]*)/g;

/** Reads a Markdown file with front matter, as Claude Code, Codex and opencode have it. Its fields need not be YAML. */
export function readMarkdownCommand(text: string): WrittenCommand {
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

/** The same for the fields of a TOML file of Gemini CLI, in its own notation: `{{args}}`, `!{command}`, `@{file}`. */
export function readTomlCommand({prompt, description}: Readonly<Record<string, unknown>>): WrittenCommand {
  if (typeof prompt !== 'string') return {description: '', prompt: ''};
  const plain = prompt
    .trim()
    .replaceAll('{{args}}', '$ARGUMENTS')
    .replaceAll(/!\{([^{}`\n]+)\}/g, '!`$1`')
    .replaceAll(/@\{([^{}\n]+)\}/g, '@$1');
  return {description: typeof description === 'string' ? description : firstLine(plain), prompt: plain};
}

function firstLine(prompt: string): string {
  return /[^\s#].*/.exec(prompt)?.[0] ?? '';
}

/** `` !`command` `` */
const COMMAND = /(?<![^\s(])!`([^`\n]+)`/;
const PLACE = /\$(ARGUMENTS\b|[1-9](?!\d))/g;
const WORDS = /"([^"]*)"|'([^']*)'|(\S+)/g;

/**
 * Puts the arguments of a command into its prompt; without a place for them, they follow it. In commands they are quoted, so that none becomes another command;
 * where that is not certain, only plain words are accepted.
 */
export function expandCommand(
  {prompt}: Pick<CustomCommand, 'prompt'>,
  argument: string,
): Result<readonly PromptPart[]> {
  const words = [...argument.matchAll(WORDS)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const inText = (place: string) => (place === 'ARGUMENTS' ? argument : (words[Number(place) - 1] ?? ''));
  const wordsAt = (place: string) => (place === 'ARGUMENTS' ? words : [words[Number(place) - 1] ?? '']);
  const rest = argument === '' || prompt.search(PLACE) !== -1 ? [] : [`\n\n${argument}`];
  const parts: PromptPart[] = [];
  for (const [index, part] of prompt.split(COMMAND).entries()) {
    if (index % 2 === 0) parts.push(part.replaceAll(PLACE, (_, place: string) => inText(place)));
    else {
      const command = filledCommand(part, wordsAt);
      if (command === undefined)
        return fail({
          kind: 'not_offered',
          what: `an argument like this in ${part}`,
          why: 'it cannot be quoted there',
        });
      parts.push({command});
    }
  }
  return {ok: true, value: [...parts, ...rest].filter((part) => part !== '')};
}

/** Where quotes may not be what they seem: substitutions, expansions with an operator, here-documents, comments. */
const NESTED = /\$[({]|<<|\$'|(?:^|\s)#/;

/** Puts words into a shell command, quoted as their place needs it; undefined if that is not certain. */
function filledCommand(text: string, wordsAt: (place: string) => readonly string[]): string | undefined {
  const isNested = NESTED.test(text);
  let quote = '';
  let filled = '';
  for (const [token, place] of text.matchAll(/\$(ARGUMENTS\b|[1-9](?!\d))|\\.|[^]/g)) {
    if (place !== undefined) {
      const words = wordsAt(place);
      if (isNested && !words.every(isPlainWord)) return undefined;
      filled += quoted(words, quote);
      continue;
    }
    if (quote === "'" && token.startsWith('\\') && token.endsWith("'")) quote = '';
    else if (token === quote) quote = '';
    else if (quote === '' && (token === '"' || token === "'")) quote = token;
    filled += token;
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
