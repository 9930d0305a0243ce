import {openDatabase} from '../../../../src/storage/database/database.ts';
import {openHistory} from '../../../../src/storage/drafts/prompt-history.ts';
import {openSessionStore} from '../../../../src/storage/sessions/session-store.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import type {SessionEvent} from '../../../../src/session/events.ts';

/** A process that records a session of 30 turns, as fast as it can. */
const [folder = '', name = ''] = process.argv.slice(2);

function fail(problem: unknown): never {
  throw new Error(JSON.stringify(problem));
}

const database = openDatabase(folder, {onDamaged: fail});
const store = openSessionStore({state: folder, database, onProblem: fail});
const history = openHistory(database, {limit: 10_000, cwd: '/project', now: Date.now, onProblem: fail});
const recorder = store.record({
  agent: {label: name, command: name, args: []},
  cwd: '/project',
  additionalDirectories: [],
});
if (!recorder.ok) fail(recorder.failure);
let state = initialSession({cwd: '/project', additionalDirectories: [], at: 0});
let at = 0;

function happen(event: SessionEvent): void {
  state = reduce(state, event);
  if (recorder.ok) recorder.value.follow(event, state);
}

for (let turn = 1; turn <= 30; turn++) {
  history.add(`${name} ${turn}`);
  happen({type: 'prompt_started', turn, content: [{type: 'text', text: `needle ${turn}`}], at: at++});
  happen({
    type: 'session_update',
    update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'found it'}},
    at: at++,
  });
  happen({type: 'prompt_ended', turn, outcome: {kind: 'stopped', stopReason: 'end_turn'}, at: at++});
  await new Promise((resolve) => setImmediate(resolve));
}
recorder.value.close();
database.close();
