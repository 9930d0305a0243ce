/** Whose rules a file of commands follows. */
export type CommandNotation = 'own' | 'claude' | 'codex' | 'gemini' | 'opencode';

/** How a file of commands writes its places of arguments, and the commands whose output belongs there. */
export interface Notation {
  /**
   * Matches a place: `all` of the arguments, the one `at` or `atIndex` this number, or the one of this `name`. `literal` is text that only looks like one, in the
   * form in which it is sent.
   */
  readonly places: RegExp;
  /** The number of the first argument. */
  readonly first: 0 | 1;
  /** What a place in the text, or in a command, becomes that has no argument. */
  readonly missing: {readonly inText: Missing; readonly inCommand: Missing};
  /** What stands for all arguments: in the text what was typed, or its words; in a command the words, or one. */
  readonly all: 'typed' | 'words' | 'one word';
  /** True if the highest number stands for all arguments from there. */
  readonly hasRestInLast?: true;
  /** True if nothing is a place between single quotes of a command, as in a shell. */
  readonly respectsSingleQuotes?: true;
  /** Splits a prompt: every second part is a command. */
  readonly split: (prompt: string) => readonly string[];
  /** What follows a prompt that has no place for the arguments. */
  readonly appended: (argument: string, name: string) => string;
}

type Missing = 'kept' | 'empty';

const EMPTY = {inText: 'empty', inCommand: 'empty'} as const;

/** The rules of each kind of file. The clients' own pages: code.claude.com/docs/en/skills, Codex's docs/prompts.md, Gemini CLI's docs/cli/custom-commands.md, opencode.ai/docs/commands. */
export const NOTATIONS: Readonly<Record<CommandNotation, Notation>> = {
  own: {
    places: /\\(?<literal>\$)(?=ARGUMENTS\b|[1-9])|\$(?:(?<all>ARGUMENTS\b)|(?<at>[1-9])(?!\d))/g,
    first: 1,
    missing: {inText: 'kept', inCommand: 'empty'},
    all: 'typed',
    respectsSingleQuotes: true,
    split: (prompt) => prompt.split(/(?<![^\s(])!`([^`\n]+)`/),
    appended: (argument) => argument,
  },
  claude: {
    places:
      /\\(?<literal>\$)(?=ARGUMENTS\b|\d)|\$(?:ARGUMENTS\[(?<atIndex>\d{1,3})\]|(?<all>ARGUMENTS\b)|(?<at>\d{1,3})(?!\w))/g,
    first: 0,
    missing: {inText: 'kept', inCommand: 'kept'},
    all: 'typed',
    split: (prompt) => prompt.split(/(?<![^\s(])!`([^`\n]+)`/),
    appended: (argument) => `ARGUMENTS: ${argument}`,
  },
  codex: {
    places: /(?<literal>\$\$)|\$(?:(?<all>ARGUMENTS(?![A-Z0-9_]))|(?<at>[1-9])|(?<name>[A-Z][A-Z0-9_]*))/g,
    first: 1,
    missing: EMPTY,
    all: 'words',
    split: (prompt) => [prompt],
    appended: (argument) => argument,
  },
  gemini: {
    places: /(?<all>\{\{args\}\})/g,
    first: 1,
    missing: EMPTY,
    all: 'one word',
    split: (prompt) => splitAtBraces(prompt, '!{'),
    appended: (argument, name) => `/${name} ${argument}`,
  },
  opencode: {
    places: /\$(?:(?<all>ARGUMENTS)|(?<at>\d{1,3}))/g,
    first: 1,
    missing: EMPTY,
    all: 'typed',
    hasRestInLast: true,
    split: (prompt) => prompt.split(/!`([^`]+)`/),
    appended: (argument) => argument,
  },
};

/** Splits a text at parts in braces behind a sign: every second one is what was in them. Braces in them are balanced; those that are not stay text. */
export function splitAtBraces(text: string, sign: '!{' | '@{'): readonly string[] {
  const parts: string[] = [];
  let done = 0;
  let start = -1;
  let depth = 0;
  for (const {0: token, index} of text.matchAll(/[!@]?\{|\}/g)) {
    if (start === -1) {
      if (token !== sign) continue;
      [start, depth] = [index, 1];
    } else depth += token === '}' ? -1 : 1;
    if (depth > 0) continue;
    const inside = text.slice(start + sign.length, index).trim();
    if (inside !== '') {
      parts.push(text.slice(done, start), inside);
      done = index + 1;
    }
    start = -1;
  }
  return [...parts, text.slice(done)];
}
