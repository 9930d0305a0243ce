import {unlink} from 'node:fs/promises';
import type {UndoneFile, UndoPlan} from '../../session/transcript/diffs.ts';
import {throwRefusal} from '../files/file-errors.ts';
import type {FileSystem} from '../files/file-system.ts';
import {readBytes} from '../files/read-file.ts';
import type {Roots} from '../files/roots.ts';
import {writeFile, type Target} from '../files/write-file.ts';
import {codes, type ChangedFile, type ChangesService} from '../services.ts';
import {fingerprintOf, type Contents} from './contents.ts';
import {changesAnything, type Change, type Journal} from './journal.ts';

interface UndoParts {
  readonly journal: Journal;
  readonly contents: Contents;
  readonly files: FileSystem;
}

/**
 * Returns what undo would do: for the newest turn with at least one file that can be undone, otherwise the newest turn. Undefined if there is nothing to undo.
 */
async function planUndo(parts: UndoParts): Promise<UndoPlan | undefined> {
  const turns = new Map<number, Change[]>();
  for (const change of parts.journal.all().filter(changesAnything))
    turns.set(change.turn, [...(turns.get(change.turn) ?? []), change]);
  let newest: UndoPlan | undefined;
  for (const [turn, changes] of [...turns].toReversed()) {
    const files: UndoneFile[] = [];
    for (const change of changes) files.push(await attempt(parts, change, examine));
    const plan = {turn, files};
    if (files.some(({refused}) => refused === undefined)) return plan;
    newest ??= plan;
  }
  return newest;
}

/** Undoes the writes of a turn, file by file: completely, or not at all with the reason. */
async function undoTurn(parts: UndoParts, turn: number): Promise<readonly UndoneFile[]> {
  const {journal, contents} = parts;
  const done: UndoneFile[] = [];
  for (const change of journal.all().filter((each) => each.turn === turn && changesAnything(each))) {
    const file = await attempt(parts, change, (target) => restoreFile(target, change, contents));
    if (file.refused === undefined) journal.forget(change);
    done.push(file);
  }
  return done;
}

type Work = (target: Target, change: Change) => Promise<void>;

async function attempt({files}: UndoParts, change: Change, work: Work): Promise<UndoneFile> {
  const {path} = change;
  const answer = await files.exclusively(path, (target) => work(target, change));
  const does = change.before === null ? 'delete' : 'restore';
  if (answer.ok) return {path, does};
  return {path, does, refused: answer.code === codes.notFound ? GONE : answer.message};
}

async function restoreFile(target: Target, change: Change, contents: Contents): Promise<void> {
  const check = () => examine(target, change);
  await check();
  if (change.before === null) return unlink(target.folder.at(target.name));
  const bytes = change.before && (await contents.read(change.before));
  if (!bytes) return throwRefusal('internal', NOT_KEPT);
  await writeFile(target, bytes, check);
}

const GONE = 'it no longer exists';
const NOT_KEPT = 'its previous content was not kept';

/** Throws a refusal for a file that cannot be undone without losing other changes. */
async function examine(target: Target, {before, after, mixed}: Change): Promise<void> {
  if (mixed) throwRefusal('internal', 'something else changed it during the turn');
  if (before !== null && before?.offset === undefined) throwRefusal('internal', NOT_KEPT);
  const bytes = await readBytes(target.folder.at(target.name), target.path, after.size);
  if (bytes === null) throwRefusal('internal', GONE);
  if (bytes === undefined || fingerprintOf(bytes) !== after.fingerprint)
    throwRefusal('internal', 'it has changed since');
}

interface ChangesParts {
  readonly journal: Journal;
  readonly contents: Contents;
  readonly files: FileSystem;
  readonly roots: Roots;
}

/** Returns the service that lists and undoes writes through the host. */
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
