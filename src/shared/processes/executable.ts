import {accessSync, constants, lstatSync, statSync} from 'node:fs';
import {homedir} from 'node:os';
import {basename, delimiter, dirname, isAbsolute, join} from 'node:path';
import {isWithin, realpathOrItself} from '../files/folders.ts';

/** True for an executable file, or a link to one. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Returns the file of a program on that PATH; undefined if there is no executable one. Relative folders in PATH are ignored. */
export function programOnPath(program: string, path: string | undefined): string | undefined {
  return (path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

/** Returns the program's name, or the script's if the program is an interpreter. */
export function programName(command: string, args: readonly string[]): string {
  const name = basename(command);
  const script = args.find((arg) => !arg.startsWith('-'));
  const runsScripts = /^(node|bun|deno|python[\d.]*|ruby|npx|bunx|uvx)(\.exe)?$/.test(name);
  return runsScripts && script !== undefined ? basename(script) : name;
}

/** Takes the folders in which an agent could put programs of its own off the PATH with which programs are started outside of its sandbox. */
export function keepOffPath(writable: readonly string[], environments = [process.env]): void {
  const real = writable.map(realpathOrItself);
  for (const outside of environments) outside['PATH'] = safePath(outside['PATH'] ?? '', real);
}

/** Returns a PATH without folders in which an agent could put programs of its own, such as `node_modules/.bin`. */
function safePath(path: string, writable: readonly string[]): string {
  const isWritable = (folder: string) =>
    [folder, realpathOrItself(folder)].some((each) => writable.some((place) => isWithin(each, place)));
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isWritable(folder))
    .join(delimiter);
}

/** The projects that this process has worked in. */
const projects = new Set<string>();

/** Where npm links what a project depends on. */
const LINKED = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/**
 * Returns a PATH for programs that acp-tui itself starts by their names: without folders in which an agent can have put one, those of this project and of all
 * others that the process has worked in. A service that runs for long has sessions in many, and the PATH of the first.
 */
export function ownPath(path: string | undefined, folder = '.'): string {
  for (const place of projectOf(realpathOrItself(folder))) projects.add(place);
  return safePath(path ?? '', [...projects])
    .split(delimiter)
    .filter((each) => !LINKED.test(each))
    .join(delimiter);
}

/** The environment of such a program. */
export function ownEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return {...env, PATH: ownPath(env['PATH'])};
}

/** Returns a folder and the outermost repository around it, but neither the home folder nor one above it: that holds the user's own programs. */
function projectOf(folder: string): readonly string[] {
  const home = realpathOrItself(homedir());
  const places = [folder].filter((each) => !isWithin(home, each));
  for (let at = places[0]; at !== undefined && !isWithin(home, at) && at !== dirname(at); at = dirname(at))
    if (lstatSync(join(at, '.git'), {throwIfNoEntry: false})) places[1] = at;
  return places;
}
