import {writeSync} from 'node:fs';
import {openDatabase} from '../../../../src/storage/database/database.ts';
import {openJournal} from '../../../../src/storage/drafts/journal.ts';
import {openHistory} from '../../../../src/storage/drafts/prompt-history.ts';
import {openSessionStore} from '../../../../src/storage/sessions/session-store.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import {story} from '../../../support/folders/story.ts';

/** A process that stores a story, and prints the number of each step it would have shown; it is meant to be killed. */
const [folder = '', seed = ''] = process.argv.slice(2);

function fail(problem: unknown): never {
  throw new Error(JSON.stringify(problem));
}

const database = openDatabase(folder, {onDamaged: fail});
const store = openSessionStore({state: folder, database, onProblem: fail});
const history = openHistory(database, {limit: 10_000, cwd: '/project', now: Date.now, onProblem: fail});
const journal = openJournal(database, {cwd: '/project', onProblem: fail});
const agent = {label: 'story', command: 'story', args: []};
const recorder = store.record({agent, cwd: '/project', additionalDirectories: []});
if (!recorder.ok) fail(recorder.failure);

function isStored(draft: string): boolean {
  const read = database.use((sql) => sql.get('SELECT state FROM drafts WHERE pid = ?', process.pid));
  return read.ok && JSON.stringify(read.value).includes(draft);
}

let state = initialSession({cwd: '/project', additionalDirectories: [], at: 0});
let count = 0;
for (const step of story(Number(seed))) {
  if (step.kind === 'history') history.add(step.text);
  else if (step.kind === 'draft') {
    journal.write({draft: step.text, queue: []});
    // A slow machine stores it a little later, see journal.ts.
    while (!isStored(step.text)) await new Promise((resolve) => setTimeout(resolve, 1));
  } else {
    state = reduce(state, step.event);
    recorder.value.follow(step.event, state);
  }
  // The output of an event loop turn is on the screen after it, and not before.
  await new Promise((resolve) => setImmediate(resolve));
  writeSync(1, `${++count}\n`);
}
