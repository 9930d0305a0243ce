import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {setTimeout as milliseconds} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {openDatabase} from '../../../../src/storage/database/database.ts';
import {isMark} from '../../../../src/storage/sessions/event-file.ts';
import {openJournal} from '../../../../src/storage/drafts/journal.ts';
import {openHistory} from '../../../../src/storage/drafts/prompt-history.ts';
import {openSessionStore} from '../../../../src/storage/sessions/session-store.ts';
import type {Result} from '../../../../src/shared/failure.ts';
import {randomNumbers, story, type StoryStep} from '../../../support/folders/story.ts';

const STORE_STORY = fileURLToPath(new URL('./store-story.ts', import.meta.url));

/** The findings after a process was killed. */
export interface Killed {
  /** The number of steps it had shown. */
  readonly shown: number;
  /** The number of the story's events in its file. */
  readonly stored: number;
  /** A sentence for each problem. */
  readonly wrong: readonly string[];
}

/** Starts a process that stores a story in the folder, kills it at a random point, and checks the result. */
export async function killOne(folder: string, seed: number): Promise<Killed> {
  const random = randomNumbers(seed + 1);
  const shown = await tellAndKill(folder, seed, {
    // Sometimes before anything has started.
    after: Math.floor(random() ** 2 * 400),
    delayMs: random() * 3,
  });
  return examine(folder, seed, shown);
}

async function tellAndKill(
  folder: string,
  seed: number,
  {after, delayMs}: {readonly after: number; readonly delayMs: number},
): Promise<number> {
  const child = spawn(process.execPath, [STORE_STORY, folder, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let shown = 0;
  const enough = Promise.withResolvers<void>();
  const lines = createInterface({input: child.stdout});
  lines.on('line', (line) => {
    shown = Number(line);
    if (shown >= after) enough.resolve();
  });
  const closed = Promise.all([once(lines, 'close'), once(child, 'exit')]);
  await Promise.race([enough.promise, closed]);
  await milliseconds(delayMs);
  child.kill('SIGKILL');
  // What it had printed by then counts as shown, too.
  await closed;
  return shown;
}

async function examine(folder: string, seed: number, shown: number): Promise<Killed> {
  const wrong: string[] = [];
  const check = (holds: boolean, sentence: string) => void (holds || wrong.push(sentence));
  const onProblem = (problem: unknown) => check(false, `a problem was reported: ${JSON.stringify(problem)}`);
  const database = openDatabase(folder, {onDamaged: onProblem});
  try {
    const steps = first(story(seed), shown);
    const store = openSessionStore({state: folder, database, onProblem});
    must(await store.reindex());
    const found = store.find(`story-${seed}`);
    const prompts = steps.flatMap((step) =>
      step.kind === 'event' && step.event.type === 'prompt_started' ? [step.event] : [],
    );
    check(found.ok || prompts.length === 0, 'the session is not stored');
    const stored = found.ok ? await eventsStored(found.value.id) : 0;
    async function eventsStored(id: string): Promise<number> {
      const events = must(await store.events(id)).lines.filter((line) => !isMark(line));
      const expected = first(story(seed), 10_000).flatMap((step) =>
        step.kind === 'event' ? [step.event] : [],
      );
      const isPrefix = JSON.stringify(events) === JSON.stringify(expected.slice(0, events.length));
      check(isPrefix, 'its events are not those that happened');
      check(events.length >= steps.filter(({kind}) => kind === 'event').length, 'events are lost');
      return events.length;
    }
    if (found.ok) {
      check(found.value.status === 'interrupted', `it is ${found.value.status}`);
      check(found.value.turns >= prompts.length, 'the index has not all turns');
      const hits = must(store.search(`"of ${seed}"`, {limit: 1000})).filter(({role}) => role === 'user');
      check(hits.length === found.value.turns, `${hits.length} of ${found.value.turns} prompts can be found`);
    }
    checkTyped(steps);
    const integrity = must(database.use((sql) => sql.get('PRAGMA integrity_check')));
    check(JSON.stringify(integrity) === '{"integrity_check":"ok"}', JSON.stringify(integrity));
    return {shown, stored, wrong};
  } finally {
    database.close();
  }

  function checkTyped(steps: readonly StoryStep[]): void {
    const history = openHistory(database, {limit: 10_000, cwd: '/project', now: Date.now, onProblem}).read()
      .project;
    const known = new Set(history);
    const lost = steps.filter((step) => step.kind === 'history' && !known.has(step.text));
    check(lost.length === 0, `${lost.length} prompts of the history are lost`);
    const drafts = steps.flatMap((step) => (step.kind === 'draft' ? [step.text] : []));
    const last = drafts.at(-1);
    const orphans = openJournal(database, {cwd: '/project', onProblem}).orphans();
    const kept = orphans.map(({state}) => state.draft).find((draft) => draft.endsWith(` of ${seed}`));
    const position = (draft: string | undefined) => Number(draft?.split(' ')[1] ?? -1);
    check(position(kept) >= position(last), `the draft is "${kept}" and was "${last}"`);
  }
}

function first(steps: Iterable<StoryStep>, count: number): StoryStep[] {
  const taken: StoryStep[] = [];
  if (count === 0) return taken;
  for (const step of steps) if (taken.push(step) === count) break;
  return taken;
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}
