import {posix} from 'node:path';
import {type CommandReading, isTooLong} from './read-command.ts';
import type {Bases, NamedFile} from './rule-target.ts';

const MAX_FOLDERS = 5;
/** Longer than any path on any system. */
const MAX_PATH_LENGTH = 4096;

/** Returns every file that a word of the command may name; undefined if it is too long to be read. */
export function namedFiles(command: CommandReading, bases: Bases): readonly NamedFile[] | undefined {
  if (isTooLong(command)) return undefined;
  const literal = command.programs.flatMap(({words}) => words.filter((word) => word !== undefined));
  const certain = [...literal, ...command.targets];
  const text = command.text
    .replaceAll(/\$\{?HOME\}?(?=\/)/g, bases.home)
    .replaceAll(/\$\{?PWD\}?(?=\/)/g, bases.cwd);
  const pieces = text.split(/[\s;|&<>(){}$`'"\\=:,@!]+/);
  const folders = foldersOf(command, bases);
  const pathsOf = (words: readonly string[]) =>
    new Set(words.flatMap((word) => resolved(word, folders, bases)));
  const named = pathsOf(certain.flatMap(partsOf));
  const maybe = [...pathsOf(pieces)].filter((path) => !named.has(path));
  return [
    ...Array.from(named, (path) => ({path, isCertain: true})),
    ...maybe.map((path) => ({path, isCertain: false})),
  ];
}

/** The folders that relative words may refer to: the command's own, and those it changes to. */
function foldersOf({programs}: CommandReading, {cwd, home}: Bases): readonly string[] {
  const folders = [cwd];
  for (const {words} of programs)
    for (const [index, word = ''] of words.entries()) {
      const isAfter =
        index > 0 && (/^(?:cd|pushd)$/.test(words[0] ?? '') || CHANGES_FOLDER.test(words[index - 1] ?? ''));
      const target =
        /^(?:-C|--(?:directory|cwd|chdir|work-tree)=)(.+)$/.exec(word)?.[1] ?? (isAfter ? word : undefined);
      if (target === undefined || folders.length >= MAX_FOLDERS) continue;
      folders.push(...folders.slice(0, 2).map((folder) => posix.resolve(folder, inHome(target, home))));
    }
  return folders;
}

const CHANGES_FOLDER = /^(?:-C|--(?:directory|cwd|prefix|chdir|work-tree|git-dir))$/;

/** The parts of a word that may be a path: the whole word, parts between separators, an option's value. */
function partsOf(word: string): readonly string[] {
  const [, address] = /^file:\/\/[^/]*(\/.*)$/i.exec(word) ?? [];
  const separators = [...word.matchAll(/[=@:,]/g)].slice(0, 20);
  return [
    word,
    ...(/^-[^-]./.test(word) ? [word.slice(2)] : []),
    ...(address === undefined ? [] : [decoded(address)]),
    ...separators.flatMap(({index}) => [word.slice(0, index), word.slice(index + 1)]),
    ...(separators.length > 1 ? word.split(/[=@:,]/).slice(0, 20) : []),
  ];
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

function resolved(word: string, folders: readonly string[], {home}: Bases): readonly string[] {
  if (word === '' || word.length > MAX_PATH_LENGTH || word.includes('\0')) return [];
  return folders.map((folder) => posix.resolve(folder, inHome(word, home)));
}

function inHome(word: string, home: string): string {
  return word.replace(/^~(?=\/|$)/, home);
}
