import {sanitizeLine} from '../../text/sanitize.ts';
import {shownPath} from '../../text/format.ts';
import type {ProtectedPlaces} from '../mounts.ts';

/** More would fill the screen. */
const MAX_NAMED = 20;

/** Returns sentences about what no mount holds, as it is a link or one of too many, and what was not looked at. */
export function unprotectedNotices({
  unheld,
  isComplete,
  roots: [cwd = '/'],
}: Pick<ProtectedPlaces, 'unheld' | 'isComplete' | 'roots'>): readonly string[] {
  const named = unheld.slice(0, MAX_NAMED).map((path) => sanitizeLine(shownPath(path, cwd)));
  const rest = unheld.length > MAX_NAMED ? ` and ${unheld.length - MAX_NAMED} more` : '';
  return [
    ...(named.length > 0
      ? [
          `The sandbox cannot keep its programs from replacing what something runs later: ${named.join(', ')}${rest}.`,
        ]
      : []),
    ...(isComplete
      ? []
      : [
          'The workspace has too many folders for the sandbox: files that something runs later, such as git hooks, can be written in those furthest down.',
        ]),
  ];
}
