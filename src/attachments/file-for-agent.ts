import {closeSync, fstatSync, lstatSync, readlinkSync, realpathSync, type Stats} from 'node:fs';
import {dirname, join, relative, resolve, sep} from 'node:path';
import {folded, SECRET_PATH} from '../session/requests/protected-paths.ts';
import {hiddenPlaces} from '../sandbox/policy.ts';
import {isWithin, realpathOrItself} from '../shared/files/folders.ts';
import {openRegularFile, textOfHandle} from '../shared/files/safe-files.ts';
import {findPaths} from '../shared/files/paths.ts';

/** What an agent is sent of a file of the user's, or of one that an agent may have put there: a link may lead to what that agent cannot read itself. */
export interface Recipient {
  /** Folders whose files are meant: where these are does not make a path a link. */
  readonly bases: readonly string[];
  /** False for a real path that the agent's sandbox hides. */
  readonly isReadable?: ((real: string) => boolean) | undefined;
}

/** What belongs to processes and devices, acp-tui's own environment among it. */
const SYSTEM = ['/proc', '/dev', '/sys'];

/** Returns where an open file is; throws if a link on the way to it was replaced since it was opened. */
export function placeOf(opened: Stats, path: string): string {
  const real = realpathSync.native(path);
  const {dev, ino} = lstatSync(real);
  if (dev !== opened.dev || ino !== opened.ino) throw new Error('it was replaced while it was read');
  return real;
}

/** Returns the target of a link; undefined for a path without links. */
function targetOf(path: string, real: string, bases: readonly string[]): string | undefined {
  const base = bases.find((each) => isWithin(path, each));
  const plain = base === undefined ? resolve(path) : join(realpathOrItself(base), relative(base, path));
  return real === plain ? undefined : real;
}

/** Returns where a link in acp-tui's own folder of settings leads, which no agent may have written, if no other link is on the way. */
function ownTargetOf(path: string): string | undefined {
  const {config} = findPaths();
  if (!isWithin(path, config)) return undefined;
  let place = realpathOrItself(config);
  const rest = relative(config, path).split(sep);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    place = join(place, name);
    if (lstatSync(place).isSymbolicLink()) return resolve(dirname(place), readlinkSync(place), ...rest);
  }
  return undefined;
}

/** Throws if a path is a link to what is not sent to any agent, since one may have made the link, or hidden in one of the folders; returns the target if it is any other link. */
export function checkTarget(
  path: string,
  real: string,
  {bases, isReadable = () => true}: Recipient,
): string | undefined {
  const own = Object.values(findPaths());
  const target = targetOf(path, real, [...bases, ...own]);
  if (target === undefined) {
    if (bases.some((base) => isWithin(path, base)) && !isReadable(real))
      throw new Error('the sandbox hides it');
    return undefined;
  }
  // Links of an agent inside of what is its own show nothing of another one's; the user's may.
  const isOfOthers = (place: string) => isWithin(target, realpathOrItself(place)) && !isWithin(path, place);
  const isPrivate =
    SECRET_PATH.test(folded(target)) ||
    [...SYSTEM, ...own].some((folder) => isWithin(target, folder)) ||
    (hiddenPlaces().some(isOfOthers) && ownTargetOf(path) !== target);
  if (isPrivate) throw new Error(`it is a link to ${target}, which is private`);
  if (!isReadable(target)) throw new Error(`it is a link to ${target}, which the sandbox hides`);
  return target;
}

/** Returns the text of a file, at most its first `most` bytes, and the target if it is a link. Throws for a link that `checkTarget` refuses. */
export function readForAgent(
  path: string,
  most: number,
  recipient: Recipient,
): {readonly text: string; readonly real: string; readonly target: string | undefined} {
  const handle = openRegularFile(path);
  try {
    const real = placeOf(fstatSync(handle), path);
    const target = checkTarget(path, real, recipient);
    return {text: textOfHandle(handle, most), real, target};
  } finally {
    closeSync(handle);
  }
}
