import {posix} from 'node:path';
import {decodedUri} from '../../session/content/block-facts.ts';
import {type CommandReading, isTooLong} from './read-command.ts';
import type {PatternBases, NamedFile} from './rule-target.ts';

const MAX_FOLDERS = 16;
/** Longer than any path on any system. */
const MAX_PATH_LENGTH = 4096;
/** Of all paths together: rules go through each. */
export const MAX_CHARACTERS = 300_000;

/** Returns every file that a word of the command may name; undefined if it is too long to be read, changes to too many folders, or names too much in long ones. */
export function namedFiles(command: CommandReading, bases: PatternBases): readonly NamedFile[] | undefined {
  if (isTooLong(command)) return undefined;
  const literal = command.programs.flatMap(({words}) => words.filter((word) => word !== undefined));
  const certain = [...literal, ...command.targets];
  const text = command.text
    .replaceAll(/\$\{?HOME\}?(?=\/)/g, bases.home)
    .replaceAll(/\$\{?PWD\}?(?=\/)/g, bases.cwd);
  const words = certain.flatMap(partsOf);
  const pieces = text.split(/[\s;|&<>(){}$`'"\\=:,@!]+/);
  const folders = foldersOf(command, bases);
  const all = new Set([...words, ...pieces]);
  const characters = [...all].join('').length * folders.length + folders.join('').length * all.size;
  if (folders.length > MAX_FOLDERS || characters > MAX_CHARACTERS) return undefined;
  const spellingsOf = (words: readonly string[]) =>
    new Set(words.flatMap((word) => spelled(word, folders, bases)));
  const files = Array.from(spellingsOf(words), (spelling) => ({
    path: posix.resolve(spelling),
    spelling,
    isCertain: true,
  }));
  const named = new Set(files.map(({path}) => path));
  const others = new Set(Array.from(spellingsOf(pieces), (spelling) => posix.resolve(spelling)));
  const maybe = [...others].filter((path) => !named.has(path));
  return [...files, ...maybe.map((path) => ({path, spelling: path, isCertain: false}))];
}

/** The folders that relative words may refer to: the command's own, and those it changes to. May stop at too many. */
function foldersOf({programs}: CommandReading, {cwd, home}: PatternBases): readonly string[] {
  const folders = new Set([cwd]);
  for (const target of programs.flatMap(({words}) => targetsOf(words)))
    // Only those that were known before.
    for (const folder of Array.from(folders)) {
      folders.add(posix.resolve(folder, inHome(target, home)));
      if (folders.size > MAX_FOLDERS) return [...folders];
    }
  return [...folders];
}

/** The folders that a program changes to, as its words name them. Without a name, `cd` goes home. */
function targetsOf([name = '', ...rest]: readonly (string | undefined)[]): readonly string[] {
  const words = rest.map((word = '') => word);
  if (/^(?:cd|pushd)$/.test(name)) return words.some((word) => /^[^-]/.test(word)) ? words : ['~'];
  return words.flatMap((word, index) => {
    if (CHANGES_FOLDER.test(words[index - 1] ?? '')) return [word];
    const [, target] = WITH_FOLDER.exec(word) ?? [];
    return target === undefined ? [] : [target];
  });
}

const FOLDER_OPTION = '--(?:directory|dir|cwd|prefix|chdir|work-tree|git-dir)';
const CHANGES_FOLDER = new RegExp(`^(?:-C|${FOLDER_OPTION})$`);
const WITH_FOLDER = new RegExp(`^(?:-C|${FOLDER_OPTION}=)(.+)$`);

/** The parts of a word that may be a path: the whole word, parts between separators, an option's value. */
function partsOf(word: string): readonly string[] {
  const [, address] = /^file:\/\/[^/]*(\/.*)$/i.exec(word) ?? [];
  const separators = [...word.matchAll(/[=@:,]/g)].slice(0, 20);
  return [
    word,
    ...(/^-[^-]./.test(word) ? [word.slice(2)] : []),
    ...(address === undefined ? [] : [decodedUri(address)]),
    ...separators.flatMap(({index}) => [word.slice(0, index), word.slice(index + 1)]),
    ...(separators.length > 1 ? word.split(/[=@:,]/).slice(0, 20) : []),
  ];
}

/** Returns the absolute paths of a word. Only with `..` in it are they not normal: it may follow a link. */
function spelled(word: string, folders: readonly string[], {home}: PatternBases): readonly string[] {
  if (word === '' || word.length > MAX_PATH_LENGTH || word.includes('\0')) return [];
  const name = inHome(word, home);
  if (!name.includes('..')) return folders.map((folder) => posix.resolve(folder, name));
  return name.startsWith('/') ? [name] : folders.map((folder) => `${folder}/${name}`);
}

function inHome(word: string, home: string): string {
  return word.replace(/^~(?=\/|$)/, home);
}
