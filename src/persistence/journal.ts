import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {fileNameOf} from './journal-files.ts';
import {emptyJournal, isEmpty, journalText, type JournalState} from './journal-state.ts';
import {findOrphans, type Orphan} from './orphans.ts';
import {makeFolder, replaceFile} from './private-files.ts';
import {ownIdentity} from './process-identity.ts';

/** Keeps what is typed in a file of its own for each process, so that a kill loses nothing and processes do not disturb each other. */
export interface Journal {
  /**
   * Stores the state before it returns, about 0.1 ms; where this takes some milliseconds (a huge paste, a slow disk) it is stored
   * a little later, as are those that come meanwhile. Never throws.
   */
  write(state: JournalState): void;
  /** What processes that were killed left behind in this folder, newest first. Broken files are set aside. */
  orphans(): Orphan[];
  /** Stores what is still to be stored; the file goes when there is nothing in it. */
  close(): void;
}

export interface JournalOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Called at most once, when nothing can be stored (a read-only home, a full disk); the program goes on. */
  readonly onProblem: (problem: unknown) => void;
}

/** Over this many milliseconds a write would be felt while typing. */
const SLOW_WRITE_MS = 4;
/** A slow write is followed by a pause of this many times its duration, but never a long one: a kill in it loses what was typed. */
const PAUSE_FACTOR = 10;
const LONGEST_PAUSE_MS = 100;

/** Opens the journal of this process in `folder`, which is made when it is missing. */
export function openJournal(folder: string, options: JournalOptions): Journal {
  const {cwd} = options;
  const own = join(folder, fileNameOf(ownIdentity()));
  const claimed: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let newest = emptyJournal;
  let isWaiting = false;
  let usualDuration = 0;
  let isBroken = false;

  function attempt(action: () => void): void {
    if (isBroken) return;
    try {
      action();
    } catch (error) {
      isBroken = true;
      options.onProblem(error);
    }
  }

  function store(): void {
    clearTimeout(timer);
    timer = undefined;
    isWaiting = false;
    const before = performance.now();
    attempt(() => {
      replaceFile(own, journalText(cwd, newest));
      for (const file of claimed.splice(0)) rmSync(file, {force: true});
    });
    // Halfway to the newest, so that one slow write in between changes nothing.
    usualDuration = (usualDuration + performance.now() - before) / 2;
  }

  attempt(() => makeFolder(folder));
  return {
    write(state) {
      newest = state;
      isWaiting = true;
      if (usualDuration < SLOW_WRITE_MS) store();
      else timer ??= setTimeout(store, Math.min(usualDuration * PAUSE_FACTOR, LONGEST_PAUSE_MS)).unref();
    },
    orphans: () => findOrphans(folder, {cwd, claimed}),
    close() {
      if (isWaiting) store();
      if (isEmpty(newest)) attempt(() => rmSync(own, {force: true}));
    },
  };
}
