import {existsSync} from 'node:fs';
import {basename, delimiter, isAbsolute, join} from 'node:path';
import {programOnPath} from '../../shared/processes/executable.ts';
import {isWithin, realpathOrItself} from '../../shared/files/folders.ts';
import {readFileIfAny} from '../../shared/files/safe-files.ts';
import type {ConfinedAgent} from '../policy.ts';
import {realPathOf} from '../protected/entries.ts';

/** Folders of the system that a sandbox covers with its own. */
export const TEMPORARY: readonly string[] = ['/tmp', '/var/tmp'];

type Started = Pick<ConfinedAgent, 'command' | 'args'>;

/** Returns what an agent is started from: its program, its arguments that are files, and the interpreters of both; links, and what they lead to. */
export function filesOfAgent({command, args}: Started, path: string | undefined): readonly string[] {
  const program = isAbsolute(command) ? command : programOnPath(command, path);
  const named = [program ?? '', ...args].filter((file) => isAbsolute(file) && existsSync(file));
  const interpreters = named.flatMap((file) => interpreterOf(file, path) ?? []);
  return [...new Set([...named, ...interpreters].flatMap((file) => [file, realpathOrItself(file)]))];
}

/** The longest first line that Linux reads. */
const FIRST_LINE = 256;

function interpreterOf(file: string, path: string | undefined): string | undefined {
  const [, program, words = ''] =
    /^#![^\S\n]*(\S+)([^\n]*)/.exec(readFileIfAny(file, FIRST_LINE) ?? '') ?? [];
  if (program === undefined || basename(program) !== 'env') return program;
  const name = words.split(/\s+/).find((word) => word !== '' && !/^-|=/.test(word));
  return name === undefined ? undefined : programOnPath(name, path);
}

/**
 * Returns where an agent's program is, of what its sandbox covers: all of the folder below the temporary one, since programs need what lies beside them, and the
 * folder of an installed agent. What is on PATH there counts, too.
 */
export function placesOfAgent(
  agent: Started,
  {path = '', installed}: {readonly path: string | undefined; readonly installed: string},
): readonly string[] {
  const files = [
    ...filesOfAgent(agent, path),
    ...path
      .split(delimiter)
      .filter((folder) => isAbsolute(folder))
      .map(realpathOrItself),
  ];
  const covered = [
    ...TEMPORARY.map((folder) => ({folder, depth: 1})),
    // <id>/<version>
    {folder: realpathOrItself(installed), depth: 2},
  ];
  const places = files.flatMap((file) => covered.flatMap(({folder, depth}) => placeIn(folder, file, depth)));
  // A link could lead to what is hidden.
  return [...new Set(places)].filter((place) => realPathOf(place) === place);
}

function placeIn(folder: string, file: string, depth: number): readonly string[] {
  if (file === folder || !isWithin(file, folder)) return [];
  const names = file.slice(folder.length + 1).split('/');
  return names.length < depth ? [] : [join(folder, ...names.slice(0, depth))];
}
