import {posix} from 'node:path';
import type {CommandParts} from '../commands.ts';
import type {Glob, Step} from '../glob.ts';
import type {Bases, NamedFile} from '../rule-target.ts';
import {ANY, createWordReader, isUnknown, ONE, SHOWN, SOME, type WordReader} from './word-shapes.ts';

/** Maximum number of words; a longer command counts as unknown. */
const MAX_WORDS = 2000;
const MAX_FOLDERS = 5;
const MAX_PATH_LENGTH = 4096;

/** Files of a command that cannot be determined. */
export const ANY_FILE: NamedFile = {
  path: undefined,
  glob: {steps: ['any'], separator: '/'},
  isCertain: false,
  tail: '',
};
const STEPS: ReadonlyMap<string, Step> = new Map([
  [ANY, 'any'],
  [SOME, 'some'],
  [ONE, 'one'],
  [SHOWN, 'shown'],
]);

/** Returns every file that a word of the command may name: words, their parts after `=`, `:`, `@` and `,`, and option values. */
export function namedFiles(command: CommandParts, bases: Bases): readonly NamedFile[] {
  const texts = command.texts.slice(0, MAX_WORDS);
  const shapesOf = createWordReader(command, bases);
  const folders = foldersOf(command, shapesOf, bases);
  const found = new Map<string, NamedFile>();
  for (const shape of texts.flatMap(shapesOf))
    for (const candidate of candidatesOf(shape))
      for (const file of filesOf(candidate, folders, bases)) found.set(keyOf(file), file);
  const isUnread = command.texts.length > MAX_WORDS || (command.isOpaque && texts.length === 0);
  return isUnread ? [...found.values(), ANY_FILE] : [...found.values()];
}

/** Returns a file with a known path. */
export function fileAt(path: string): NamedFile {
  return {path, glob: globOf(path), isCertain: true, tail: path};
}

function keyOf({path, glob, isCertain}: NamedFile): string {
  return `${isCertain} ${path ?? JSON.stringify(glob.steps)}`;
}

interface Candidate {
  readonly shape: string;
  readonly isCode: boolean;
}

/** The folders that relative words may refer to: the command's own, and those it changes to. */
function foldersOf({parts, hidden}: CommandParts, shapesOf: WordReader, bases: Bases): readonly string[] {
  const folders = [bases.cwd];
  for (const {words, typed} of [...parts, ...hidden])
    for (const [index, literal] of words.entries()) {
      const word = shapesOf({literal, typed: typed[index] ?? ''}).find((shape) => !isUnknown([shape]));
      const before = words[index - 1];
      const isTarget =
        ['cd', 'pushd'].includes(words[0] ?? '') ||
        /^(?:-C|--(?:directory|cwd|prefix|chdir|work-tree|git-dir))$/.test(before ?? '');
      const [, attached] =
        /^(?:-C|--(?:directory|cwd|prefix|chdir|work-tree|git-dir)=)(.+)$/.exec(word ?? '') ?? [];
      const target = attached ?? (isTarget && index > 0 ? word : undefined);
      if (target === undefined || folders.length >= MAX_FOLDERS) continue;
      folders.push(
        ...folders
          .slice(0, 2)
          .map((folder) => posix.resolve(folder, target.replace(/^~(?=\/|$)/, bases.home))),
      );
    }
  return [...new Set(folders)];
}

/** The parts of a word that may be a path: the whole word, parts between separators, an option's value; the words of code. */
function* candidatesOf(shape: string): Generator<Candidate> {
  yield {shape, isCode: false};
  if (/^-[^-]./.test(shape)) yield {shape: shape.slice(2), isCode: false};
  const address = /^file:\/\/[^/]*(\/.*)$/i.exec(shape)?.[1];
  if (address !== undefined) yield {shape: decoded(address), isCode: false};
  const separators = [...shape.matchAll(/[=@:,]/g)].slice(0, 20);
  for (const {index} of separators) {
    yield {shape: shape.slice(index + 1), isCode: false};
    yield {shape: shape.slice(0, index), isCode: false};
  }
  for (const part of separators.length > 1 ? shape.split(/[=@:,]/).slice(0, 20) : [])
    yield {shape: part, isCode: false};
  if (!/[\s'"`;|&<>()[\]{}\\]/.test(shape)) return;
  for (const part of shape.split(/[\s'"`;|&<>()[\]{}\\=:,@]+/).slice(0, MAX_WORDS))
    yield {shape: part, isCode: true};
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

function* filesOf(
  {shape, isCode}: Candidate,
  folders: readonly string[],
  {home}: Bases,
): Generator<NamedFile> {
  // Longer than any path on any system; a pattern may match a shorter one.
  const isPath = shape.length <= MAX_PATH_LENGTH || /[\uE000-\uE003]/.test(shape);
  if (shape === '' || shape.includes('\0') || !isPath) return;
  const unknown = Math.max(shape.lastIndexOf(ANY), /^~[^/]/.test(shape) ? shape.indexOf('/') - 1 : -1);
  if (unknown >= 0) {
    // `..` after an unknown name can lead anywhere.
    const known =
      shape
        .slice(unknown + 1)
        .split('/../')
        .at(-1) ?? '';
    const tail = known.startsWith('/')
      ? posix.resolve(known)
      : known.includes('/')
        ? known.slice(known.indexOf('/'))
        : '';
    yield {path: undefined, glob: globOf(ANY + known), isCertain: false, tail: tail === '/' ? '' : tail};
    return;
  }
  for (const folder of folders) {
    const whole = posix.resolve(folder, shape.replace(/^~(?=\/|$)/, home));
    const hasWildcards = /[\uE000-\uE003]/.test(whole);
    yield {
      path: hasWildcards ? undefined : whole,
      glob: globOf(whole),
      isCertain: !isCode,
      tail: isCode && !shape.startsWith('/') ? posix.resolve('/', shape) : whole,
    };
  }
}

function globOf(shape: string): Glob {
  const steps = Array.from(shape).flatMap((character, index, all): Step[] => {
    // A leading `*` may match nothing if a letter follows; before a dot it matches something.
    const step = STEPS.get(character);
    if (step === 'shown' && all[index + 1] === SOME && all[index + 2] !== '.') return ['unhidden'];
    return [step ?? {character}];
  });
  return {steps, separator: '/'};
}
