import type {FileSystem} from '../file-system.ts';
import type {Roots} from '../roots.ts';
import type {ChangedFile, ChangesService} from '../services.ts';
import type {Contents} from './contents.ts';
import {changesAnything, type Change, type Journal} from './journal.ts';
import {planUndo, undoTurn} from './undo.ts';

export interface ChangesParts {
  readonly journal: Journal;
  readonly contents: Contents;
  readonly files: FileSystem;
  readonly roots: Roots;
}

/** What was written through us, and the way back. */
export function createChanges(parts: ChangesParts): ChangesService {
  const {journal, contents, roots} = parts;

  function fileOf({path, before, after}: Change): ChangedFile {
    return {
      path,
      size: (before?.size ?? 0) + after.size,
      read: async () => ({
        before: before && (await contents.read(before)),
        after: await contents.read(after),
      }),
    };
  }

  return {
    list(turn) {
      const changes = turn === undefined ? journal.net() : journal.all().filter((each) => each.turn === turn);
      return changes.filter(changesAnything).map(fileOf);
    },
    plan: () => planUndo(parts),
    undo: (turn) => undoTurn(parts, turn),
    hasOtherTurns: (turn) => journal.all().some((each) => each.turn !== turn && changesAnything(each)),
    async wrote(path, turn) {
      const place = await roots.confine(path);
      return place.ok && journal.wrote(place.value.path, turn);
    },
    close: () => journal.close(),
  };
}
