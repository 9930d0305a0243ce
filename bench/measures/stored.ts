import {mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {databaseFile, openDatabase} from '../../src/storage/database/database.ts';
import {appendFile} from '../../src/storage/sessions/event-writer.ts';
import {openJournal} from '../../src/storage/drafts/journal.ts';
import {addToHistory, openHistory} from '../../src/storage/drafts/prompt-history.ts';
import {sessionFile, sessionsFolder} from '../../src/storage/sessions/event-file.ts';
import {FILE_VERSION, lineOf} from '../../src/storage/sessions/event-lines.ts';
import {openSessionStore} from '../../src/storage/sessions/session-store.ts';
import {saveSession, sessionMetaOf} from '../../src/storage/sessions/session-table.ts';
import type {SessionEvent} from '../../src/session/events.ts';
import {initialSession} from '../../src/session/initial.ts';
import {reduce} from '../../src/session/reduce.ts';
import {exponentOf, MAX_EXPONENT, median, type Measure, type Row} from '../row.ts';

const SESSIONS = 10_000;
const PLACE = {cwd: '/project', additionalDirectories: []};
const AGENT = {label: 'bench', command: 'bench', args: []};
const WORDS =
  'the session of a folder tells which file has changed and why every test of it passes again'.split(' ');

/** The cost of storing a running conversation, and how long thousands of stored sessions take to list, search and index. */
export const stored: Measure = {
  name: 'stored',
  async run(scale) {
    const folder = mkdtempSync(join(tmpdir(), 'acp-tui-bench-'));
    try {
      const growth = growthOfListing(scale);
      return [
        ...costOfAnEvent(folder),
        ...costOfAKey(folder),
        ...(await manySessions(folder, scale)),
        ...growth,
      ];
    } finally {
      rmSync(folder, {recursive: true, force: true});
    }
  },
};

function open(folder: string) {
  const database = openDatabase(folder, {onDamaged: fail});
  return {database, store: openSessionStore({state: folder, database, onProblem: fail})};
}

function fail(problem: unknown): never {
  throw new Error(JSON.stringify(problem));
}

function happenings(turn: number, words: (count: number) => string): SessionEvent[] {
  const chunk = (): SessionEvent => ({
    type: 'session_update',
    update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: words(12)}},
    at: turn,
  });
  return [
    {type: 'prompt_started', turn, content: [{type: 'text', text: words(20)}], at: turn},
    ...Array.from({length: 8}, chunk),
    {
      type: 'session_update',
      update: {sessionUpdate: 'tool_call', toolCallId: `call-${turn}`, title: words(4), status: 'completed'},
      at: turn,
    },
    ...Array.from({length: 8}, chunk),
    {type: 'prompt_ended', turn, outcome: {kind: 'stopped', stopReason: 'end_turn'}, at: turn},
  ];
}

/** Words that are the same in each run, one in a thousand of them rare. */
function wordsFrom(seed: number): (count: number) => string {
  let at = seed;
  return (count) =>
    Array.from({length: count}, () => {
      at = (at * 1_103_515_245 + 12_345) % 2_147_483_648;
      return at % 1000 === 7 ? `rare${at % 97}` : (WORDS[(at >> 8) % WORDS.length] ?? '');
    }).join(' ');
}

/** The cost of storing an event, beside folding it, over a conversation of 200 turns. */
function costOfAnEvent(folder: string): Row[] {
  const {database, store} = open(folder);
  const words = wordsFrom(1);
  const events = Array.from({length: 200}, (_, turn) => happenings(turn + 1, words)).flat();
  const recorder = store.record({agent: AGENT, ...PLACE});
  if (!recorder.ok) fail(recorder.failure);
  let state = initialSession({...PLACE, at: 0});
  let [folding, following] = [0, 0];
  for (const event of events) {
    const start = performance.now();
    state = reduce(state, event);
    const folded = performance.now();
    recorder.value.follow(event, state);
    folding += folded - start;
    following += performance.now() - folded;
  }
  recorder.value.close();
  database.close();
  const each = 1000 / events.length;
  return [
    {
      what: 'storing an event, index and turns included',
      unit: 'µs',
      value: following * each,
      baseline: folding * each,
      target: 100,
    },
  ];
}

function costOfAKey(folder: string): Row[] {
  const {database} = open(folder);
  const journal = openJournal(database, {cwd: '/project', onProblem: fail});
  const file = appendFile(join(folder, 'baseline'));
  const text = 'x'.repeat(500);
  const times = (action: (text: string) => void) =>
    Array.from({length: 1000}, (_, index) => {
      const start = performance.now();
      action(`${text} ${index}`);
      return performance.now() - start;
    });
  journal.orphans();
  const ours = times((draft) => journal.write({draft, queue: []}));
  const appending = times((line) => file.write(line));
  file.close();
  database.close();
  return [
    {
      what: 'storing a draft (baseline: appending it to a file)',
      unit: 'ms',
      value: median(ours),
      baseline: median(appending),
      target: 0.1,
    },
  ];
}

async function manySessions(folder: string, scale: number): Promise<Row[]> {
  const count = Math.round(SESSIONS * scale);
  writeSessions(folder, count);
  const {database, store} = open(folder);
  const start = performance.now();
  const read = await store.reindex();
  const rebuilding = performance.now() - start;
  if (!read.ok || read.value < count) fail(read);
  fillHistory(folder);
  database.close();
  const size = statSync(databaseFile(folder)).size / count;
  const rows: Row[] = [
    {what: `index ${count} sessions again from their files`, unit: 's', value: rebuilding / 1000, target: 60},
    {what: 'size of the index for a session', unit: 'KB', value: size / 1024, target: 50},
  ];
  return [...rows, ...reading(folder, count)];
}

function writeSessions(folder: string, count: number): void {
  mkdirSync(sessionsFolder(folder), {recursive: true});
  for (let index = 0; index < count; index++) {
    const id = `bench${index}`;
    const header = {v: FILE_VERSION, id, created: index, agent: AGENT, ...PLACE} as const;
    const session = {sessionId: `agent-${index}`, ...PLACE};
    const words = wordsFrom(index);
    const events: SessionEvent[] = [
      {type: 'session_opened', session, how: 'new', at: index},
      ...[1, 2, 3, 4].flatMap((turn) => happenings(turn, words)),
    ];
    writeFileSync(sessionFile(folder, id), [header, ...events].map(lineOf).join(''));
  }
}

function fillHistory(folder: string): void {
  const {database} = open(folder);
  const words = wordsFrom(3);
  database.use((sql) =>
    sql.transaction(() => {
      for (let at = 0; at < 10_000; at++) addToHistory(sql, '/project', `${words(20)} ${at}`, at);
    }),
  );
  database.close();
}

/** Each on the first use of an opened database, as in a program that has just started. */
function reading(folder: string, count: number): Row[] {
  const first = (action: (opened: ReturnType<typeof open>) => {readonly ok: boolean} | object) => {
    const times = Array.from({length: 5}, () => {
      const opened = open(folder);
      const start = performance.now();
      const result = action(opened);
      const took = performance.now() - start;
      if ('ok' in result && !result.ok) fail(result);
      opened.database.close();
      return took;
    });
    return median(times);
  };
  const row = (what: string, value: number, target: number): Row => ({what, unit: 'ms', value, target});
  return [
    row(
      'open the database',
      first(({database}) => database.use(() => 1)),
      20,
    ),
    row(
      `list ${count} sessions`,
      first(({store}) => store.list()),
      250,
    ),
    row(
      'list the 50 newest of a folder',
      first(({store}) => store.list({cwd: '/project', limit: 50})),
      25,
    ),
    row(
      `search a rare word in ${count} sessions`,
      first(({store}) => store.search('rare13')),
      100,
    ),
    row(
      `search a common word in ${count} sessions`,
      first(({store}) => store.search('session')),
      500,
    ),
    row(
      'read 10,000 prompts of the history',
      first(({database}) =>
        openHistory(database, {limit: 10_000, cwd: '/project', now: Date.now, onProblem: fail}).read(),
      ),
      100,
    ),
  ];
}

/** How the time to list all sessions grows with their number. */
function growthOfListing(scale: number): Row[] {
  const [few, many] = [SESSIONS, 5 * SESSIONS].map((count) => Math.round(count * scale)) as [number, number];
  const [baseline, value] = [timeToList(few), timeToList(many)];
  const exponent = exponentOf([few, baseline], [many, value]);
  return [
    {what: `list ${many} sessions (baseline: ${few})`, unit: 'ms', value, baseline, target: 2000},
    {what: 'exponent of its growth', unit: '', value: exponent, target: MAX_EXPONENT},
  ];
}

/** The shortest time of several to list this many sessions of an index. */
function timeToList(count: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'acp-tui-bench-'));
  const {database, store} = open(folder);
  const words = wordsFrom(1);
  database.use((sql) =>
    sql.transaction(() => {
      for (let index = 0; index < count; index++) {
        const meta = sessionMetaOf({
          v: FILE_VERSION,
          id: `bench${index}`,
          created: index,
          agent: AGENT,
          ...PLACE,
        });
        saveSession(sql, {...meta, title: words(8), firstPrompt: words(30), says: words(12)});
      }
    }),
  );
  const times = Array.from({length: 3}, () => {
    const start = performance.now();
    const listed = store.list();
    if (!listed.ok || listed.value.length < count) fail(listed);
    return performance.now() - start;
  });
  database.close();
  rmSync(folder, {recursive: true, force: true});
  return Math.min(...times);
}
