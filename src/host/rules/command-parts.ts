import type {ShellGrammar} from './shell-grammar.ts';
import {
  LONGEST_LINE,
  readLine,
  TOO_LONG,
  type Assignment,
  type LineReading,
  type Program,
  type WordText,
} from './shell-line.ts';
import {quoteWord} from '../../text/shell-quote.ts';
import {wrapperOf, type IsShell} from './wrappers.ts';

/** One program that a command starts. */
export interface CommandPart {
  /** Its words; undefined for one that only the shell knows. */
  readonly words: readonly (string | undefined)[];
  /** The same, each as it was typed. */
  readonly typed: readonly string[];
  /** As it would be typed: words with single quotes where they need any. */
  readonly line: string;
  /** It starts other programs, or gets variables of its own: only a rule without wildcards vouches for it. */
  readonly isWrapper: boolean;
}

/** What a command comes to. */
export interface CommandParts {
  /** The programs that it starts. */
  readonly parts: readonly CommandPart[];
  /** What else it may start: in substitutions, behind wrappers. */
  readonly hidden: readonly CommandPart[];
  /** Why nobody can say exactly what happens; undefined when the parts are all. */
  readonly unresolved: string | undefined;
  /** True when even the programs may be others than these. */
  readonly isOpaque: boolean;
  /** Every word in it: each may name a file. */
  readonly texts: readonly WordText[];
  /** What redirections write to. */
  readonly outputs: readonly WordText[];
  readonly assigned: readonly Assignment[];
}

/** What commands are read with. */
export interface CommandReader {
  readonly grammar: ShellGrammar;
  readonly isShell: IsShell;
}

/** In how many words of a wrapper a program is looked for. */
const MOST_WORDS = 200;
/** How many shells are followed into shells. */
const MOST_SHELLS = 3;

export const NO_PARTS: CommandParts = {
  parts: [],
  hidden: [],
  unresolved: undefined,
  isOpaque: false,
  texts: [],
  outputs: [],
  assigned: [],
};

/** Takes a command apart: a line for a shell, or the words of one program. */
export function splitCommand(
  command: string | readonly string[],
  reader: CommandReader,
  shells = 0,
): CommandParts {
  const reading = typeof command === 'string' ? readLine(command, reader.grammar) : readingOf(command);
  const {programs, ...read} = reading;
  return programs.map((program) => partsOf(program, reader, shells)).reduce(both, {...NO_PARTS, ...read});
}

/** Words reach their program as they are. */
function readingOf(words: readonly string[]): LineReading {
  if (words.join(' ').length > LONGEST_LINE) return TOO_LONG;
  const program = {words, typed: words.map(quoteWord), assignments: [], isInside: false};
  const texts = words.map((word) => ({typed: word, literal: word}));
  return {programs: [program], texts, outputs: [], assigned: [], unresolved: undefined, isOpaque: false};
}

function partsOf(program: Program, reader: CommandReader, shells: number): CommandParts {
  const {words, typed, assignments, isInside} = program;
  const found = assignments.length > 0 ? undefined : shellLine(program, reader, shells);
  if (found) return isInside ? allHidden(found) : found;
  const wrapper = wrapperOf(words, reader.isShell);
  const plain = {words, typed, line: typed.join(' '), isWrapper: wrapper !== undefined};
  const whole =
    assignments.length === 0
      ? {...NO_PARTS, parts: [plain]}
      : {
          ...NO_PARTS,
          parts: [{words, typed, line: [...assignments, plain.line].join(' '), isWrapper: true}],
          hidden: [plain],
        };
  const inner = wrapper === undefined ? NO_PARTS : allHidden(behind(program, reader, shells));
  const all = both(whole, {...inner, unresolved: undefined});
  return isInside ? allHidden(all) : all;
}

/** `sh -c line` comes to what the line does, where that can be told. */
function shellLine({words}: Program, reader: CommandReader, shells: number): CommandParts | undefined {
  const wrapper = wrapperOf(words, reader.isShell);
  if (wrapper?.kind !== 'shell_line' || shells >= MOST_SHELLS) return undefined;
  const inner = splitCommand(wrapper.line, reader, shells + 1);
  return inner.unresolved === undefined ? inner : undefined;
}

/** What may be started behind a wrapper: any of its later words may begin a program. */
function behind({words, typed}: Program, reader: CommandReader, shells: number): CommandParts {
  const wrapper = wrapperOf(words, reader.isShell);
  if (wrapper === undefined) return NO_PARTS;
  if (shells >= MOST_SHELLS) return {...NO_PARTS, isOpaque: true};
  const lines = wrapper.kind === 'shell_line' ? [wrapper.line] : wrapper.lines;
  const tails = words.slice(1, MOST_WORDS).map((_, index) => ({
    words: words.slice(index + 1),
    typed: typed.slice(index + 1),
    line: typed.slice(index + 1).join(' '),
    isWrapper: false,
  }));
  return lines
    .map((line) => splitCommand(line, reader, shells + 1))
    .reduce(both, {
      ...NO_PARTS,
      hidden: tails,
      isOpaque: (wrapper.kind === 'wrapper' && wrapper.isOpaque) || words.length > MOST_WORDS,
    });
}

/** What several commands come to together. */
export function joinParts(commands: readonly CommandParts[]): CommandParts {
  return commands.reduce(both, NO_PARTS);
}

function both(one: CommandParts, other: CommandParts): CommandParts {
  return {
    parts: [...one.parts, ...other.parts],
    hidden: [...one.hidden, ...other.hidden],
    unresolved: one.unresolved ?? other.unresolved,
    isOpaque: one.isOpaque || other.isOpaque,
    texts: [...one.texts, ...other.texts],
    outputs: [...one.outputs, ...other.outputs],
    assigned: [...one.assigned, ...other.assigned],
  };
}

function allHidden({parts, hidden, ...rest}: CommandParts): CommandParts {
  return {...rest, parts: [], hidden: [...parts, ...hidden]};
}
