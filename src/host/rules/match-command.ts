import {basename} from 'node:path/posix';
import {quoteWord} from '../../text/shell-quote.ts';
import type {CommandPart, CommandParts} from './command-parts.ts';
import {fits, hasWildcard, textGlob, type Glob} from './glob.ts';
import {mayLaunch} from './launchers.ts';
import type {Match} from './match.ts';

/** A pattern of commands. */
export interface CommandPattern {
  /** Several ways to read it: one that ends in ` *` also fits the command without arguments. */
  readonly globs: readonly Glob[];
  /** What its first word is. */
  readonly program: Glob;
  readonly isExact: boolean;
}

export function commandPattern(pattern: string): CommandPattern {
  const [program = ''] = /^(?:\\[^]|[^\s\\])+/.exec(pattern) ?? [];
  const whole = textGlob(pattern);
  const alone = pattern.endsWith(' *') ? [textGlob(pattern.slice(0, -2))] : [];
  return {globs: [whole, ...alone], program: textGlob(program), isExact: !hasWildcard(whole)};
}

/** Whether an `allow` vouches for this part. */
export function vouchesFor({globs, isExact}: CommandPattern, part: CommandPart): boolean {
  if (part.isWrapper && !isExact) return false;
  return !part.words.includes(undefined) && globs.some((glob) => fits(glob, part.line));
}

/** Whether a `deny` or `ask` is about this command, wherever in it. */
export function isAbout(pattern: CommandPattern, command: CommandParts): Match {
  const all = [...command.parts, ...command.hidden];
  if (all.some((part) => linesOf(part).some((line) => pattern.globs.some((glob) => fits(glob, line)))))
    return 'yes';
  const isMaybe = command.isOpaque || all.some((part) => mayFit(pattern, part) || mayStart(pattern, part));
  return isMaybe ? 'maybe' : 'no';
}

/** `/bin/rm` is `rm` as well. */
function linesOf({words, line}: CommandPart): string[] {
  const [name = ''] = words;
  return name.includes('/') && line.startsWith(name)
    ? [line, basename(name) + line.slice(name.length)]
    : [line];
}

/** Whether a program that nobody knows here may start the one that the pattern is about: it is among its words. */
function mayStart({program, globs}: CommandPattern, {words}: CommandPart): boolean {
  const [first] = words;
  if (first === undefined || !mayLaunch(basename(first))) return false;
  return words.some((word, index) => {
    if (index === 0 || word === undefined || !fits(program, basename(word))) return false;
    const line = [basename(word), ...words.slice(index + 1).map((each) => quoteWord(each ?? ''))].join(' ');
    return globs.some((glob) => fits(glob, line));
  });
}

/** Where only the shell knows a word, the program decides. */
function mayFit({program}: CommandPattern, {words}: CommandPart): boolean {
  if (!words.includes(undefined)) return false;
  const [name] = words;
  return name === undefined || fits(program, name) || fits(program, basename(name));
}
