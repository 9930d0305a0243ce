import {sanitizeLine} from '../../text/sanitize.ts';
import {isWithin} from '../../shared/files/folders.ts';
import {shownPath} from '../../text/format.ts';
import type {ProtectedPlaces} from '../mounts.ts';
import {DEPENDENCIES} from './search.ts';

/** More would fill the screen. */
const MAX_NAMED = 20;

/** Returns sentences about what no mount holds, as it is a link or one of too many, and what was not looked at. */
export function unprotectedNotices({
  unheld,
  unseen,
  unseenDependencies,
  roots: [cwd = '/'],
  folders,
}: Pick<
  ProtectedPlaces,
  'unheld' | 'unseen' | 'unseenDependencies' | 'roots' | 'folders'
>): readonly string[] {
  const shown = (path: string) => sanitizeLine(shownPath(path, cwd));
  const named = unheld.slice(0, MAX_NAMED).map(shown);
  const rest = unheld.length > MAX_NAMED ? ` and ${unheld.length - MAX_NAMED} more` : '';
  const large = new Set(
    unseen.map((path) => folders.find((folder) => isWithin(path, folder))).map((folder) => folder ?? cwd),
  );
  const dependencies = new Set(
    unseenDependencies.map(
      (path) =>
        shown(path)
          .split('/')
          .find((name) => DEPENDENCIES.has(name)) ?? shown(path),
    ),
  );
  return [
    ...(named.length > 0
      ? [
          `The sandbox cannot keep its programs from replacing what something runs later: ${named.join(', ')}${rest}.`,
        ]
      : []),
    ...Array.from(
      large,
      (folder) =>
        `${folder === cwd ? 'The workspace' : shown(folder)} has too many folders for the sandbox: files that something runs later, such as git hooks, can be written in those furthest down.`,
    ),
    ...(dependencies.size > 0
      ? [
          `There are too many folders of dependencies for the sandbox: files that something runs later, such as git hooks, can be written in those furthest down, in ${[...dependencies].slice(0, MAX_NAMED).join(', ')}.`,
        ]
      : []),
  ];
}
