import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {setTimeout as milliseconds} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {createRepository, type SnapshotRepository} from '../../../../src/snapshots/repository.ts';
import {finishRestore} from '../../../../src/snapshots/restore.ts';
import {storeSnapshot} from '../../../../src/snapshots/snapshot-log.ts';
import {takeSnapshot} from '../../../../src/snapshots/take/take-snapshot.ts';
import {randomNumbers} from '../../../support/folders/story.ts';
import {contentOf, git, writeFiles} from '../../../support/folders/snapshot-folder.ts';

const RESTORING = fileURLToPath(new URL('./restoring.ts', import.meta.url));
const FILES = 30;
/** About so many operations take part in a restore of them. */
const OPERATIONS = 230;
/** So many of them are saved by another program meanwhile, at most. */
const MAX_SAVES = 8;

/** The findings after a process that restores files was killed. */
export interface KilledRestore {
  /** True if it was killed during the restore: something was left to finish. */
  readonly wasCaught: boolean;
  readonly saves: number;
  /** A sentence for each problem. */
  readonly wrong: readonly string[];
}

interface State {
  readonly id: string;
  readonly content: Readonly<Record<string, string>>;
}

/** A folder that is in one of two states, with a snapshot of each. */
interface Restored {
  readonly folder: string;
  readonly state: string;
  readonly repository: SnapshotRepository;
  readonly states: readonly [State, State];
}

/** Creates a folder to be restored, in a new folder inside `scratch`. */
export async function prepareRestores(scratch: string): Promise<Restored> {
  const folder = join(realpathSync(scratch), 'work');
  const state = join(scratch, 'state');
  mkdirSync(folder);
  git(folder, 'init', '-q');
  const repository = await createRepository(folder, state);
  const take = async (at: number): Promise<State> => {
    const id = await takeSnapshot(repository);
    await storeSnapshot(repository, id, {session: 's', turn: 1, when: 'before', at});
    return {id, content: contentOf(folder)};
  };
  writeState(folder, 0);
  const first = await take(1);
  writeState(folder, 1);
  return {folder, state, repository, states: [first, await take(2)]};
}

/** Every file differs in the other state: in its bytes, its kind, its permissions, or its existence. */
function writeState(folder: string, which: 0 | 1): void {
  empty(folder);
  for (let index = 0; index < FILES; index++) {
    const name = nameOf(index);
    const path = join(folder, name);
    if (index % 5 === which) continue;
    if (index % 7 === 6 && which === 1) {
      mkdirSync(dirname(path), {recursive: true});
      symlinkSync(`to-${index}`, path);
    } else {
      writeFiles(folder, {[name]: `${which} of ${name}\n`.repeat(index * 40 + 1)});
      chmodSync(path, index % 3 === which ? 0o755 : 0o644);
    }
  }
}

function empty(folder: string): void {
  for (const name of readdirSync(folder)) if (name !== '.git') rmSync(join(folder, name), {recursive: true});
}

function nameOf(index: number): string {
  return `folder-${index % 4}/file-${index}.txt`;
}

/** Has a process kill itself at a random point while it restores the folder and another one saves files in it; checks the result. */
export async function killRestore(restored: Restored, seed: number): Promise<KilledRestore> {
  const {folder, state, repository, states} = restored;
  const random = randomNumbers(seed);
  const which = random() < 0.5 ? 0 : 1;
  writeState(folder, which);
  const [from, to] = [states[which], states[which === 0 ? 1 : 0]];
  // Of two windows, one restores and the other waits or fails.
  const windows = Array.from({length: random() < 0.3 ? 2 : 1}, (_, index) => {
    const order = join(state, `order-${index}.json`);
    const killAt = 1 + Math.floor(random() * OPERATIONS);
    writeFileSync(order, JSON.stringify({folder, state, from: from.id, to: to.id, killAt}));
    return spawn(process.execPath, [RESTORING, order], {stdio: ['ignore', 'pipe', 'ignore']});
  });
  const ended = Promise.all(windows.map((each) => once(each, 'exit')));
  const [first] = windows;
  await Promise.race([once(first!.stdout, 'data'), ended]);
  const saved = await saveMeanwhile(folder, random, ended);
  const wasCaught = existsSync(join(repository.gitDir, 'restore.json'));
  const wrong = [...tornFiles(folder, [from, to], saved)];
  await finishRestore(repository);
  wrong.push(...lostSaves(folder, saved), ...unfinished(restored, {wasCaught, to, saved}));
  return {wasCaught, saves: saved.size, wrong};
}

/** Until all processes have ended; returns the last text of each saved file. */
async function saveMeanwhile(
  folder: string,
  random: () => number,
  ended: Promise<unknown>,
): Promise<ReadonlyMap<string, string>> {
  const saved = new Map<string, string>();
  let isOver = false;
  const over = ended.then(() => (isOver = true));
  for (let count = 0; count < MAX_SAVES; count++) {
    await Promise.race([milliseconds(random() * 30), over]);
    if (isOver) break;
    const name = nameOf(Math.floor(random() * FILES));
    const text = `saved ${count} by the user\n`;
    if (save(join(folder, name), text, random())) saved.set(name, text);
  }
  await ended;
  return saved;
}

/** As editors do: in place, or as a new file that replaces the old one. */
function save(path: string, text: string, how: number): boolean {
  try {
    if (how < 0.5) writeFileSync(path, text);
    else {
      const next = join(dirname(path), `~${basename(path)}`);
      writeFileSync(next, text);
      renameSync(next, path);
    }
    return true;
  } catch {
    // Its folder does not exist.
    return false;
  }
}

const ASIDE = /^\.acp-tui-|\.acp-tui-kept/;

/** Each file has all of its old or all of its new content, or the saved one. */
function tornFiles(
  folder: string,
  states: readonly State[],
  saved: ReadonlyMap<string, string>,
): readonly string[] {
  return Object.entries(contentOf(folder))
    .filter(([name]) => !ASIDE.test(basename(name)) && !isSaved(name, saved))
    .filter(([name, content]) => !states.some((state) => state.content[name] === content))
    .map(([name]) => `${name} is half-way`);
}

/** A save in place writes through a link in its place: then the text is at the link's target. */
function lostSaves(folder: string, saved: ReadonlyMap<string, string>): readonly string[] {
  const texts = new Set(
    Object.keys(contentOf(folder)).flatMap((name) => {
      try {
        return [readFileSync(join(folder, name), 'utf8')];
      } catch {
        return [];
      }
    }),
  );
  return [...saved]
    .filter(([, text]) => !texts.has(text))
    .map(([name]) => `what was saved as ${name} is lost`);
}

function unfinished(
  {folder, repository}: Restored,
  {wasCaught, to, saved}: {wasCaught: boolean; to: State; saved: ReadonlyMap<string, string>},
): readonly string[] {
  const now = contentOf(folder);
  const names = new Set([...Object.keys(now), ...Object.keys(to.content)]);
  const other = [...names].filter(
    (name) => !ASIDE.test(basename(name)) && !isSaved(name, saved) && now[name] !== to.content[name],
  );
  return [
    ...Object.keys(now)
      .filter((name) => basename(name).startsWith('.acp-tui-'))
      .map((name) => `${name} is left`),
    ...(existsSync(join(repository.gitDir, 'restore.json')) ? ['the journal is left'] : []),
    ...(wasCaught ? other.map((name) => `${name} is not restored`) : []),
  ];
}

/** Includes what a save through a link created. */
function isSaved(name: string, saved: ReadonlyMap<string, string>): boolean {
  return saved.has(name) || basename(name).startsWith('to-') || basename(name).startsWith('~');
}
