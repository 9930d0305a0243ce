import {missingProgram} from '../agents/launch.ts';
import type {ClientOptions} from '../client/options.ts';
import {gitBranch} from '../files/git-branch.ts';
import type {PreparedSession} from '../service/hosted-session.ts';
import {sessionRecording} from '../service/session-recording.ts';
import type {SessionStart} from '../service/messages.ts';
import {initialSession} from '../session/initial.ts';
import {failureSentence} from '../shared/failure-messages.ts';
import {fail, type Failure, type Result} from '../shared/failure.ts';
import {openDatabase} from '../storage/database/database.ts';
import {openJournal} from '../storage/drafts/journal.ts';
import {recordSession, restoredAt} from '../storage/sessions/record-window.ts';
import {newSessionId} from '../storage/sessions/recorder.ts';
import {openSessionStore} from '../storage/sessions/session-store.ts';
import {storedBefore} from '../storage/sessions/stored-session.ts';
import type {RunKind} from './run-options.ts';
import {setUpRun} from './run-setup.ts';
import {sessionServices} from './session-services.ts';

/** Journals of the process have different slots. */
let lastSlot = 0;

/** Prepares a session of the background service as a window prepares its first one: settings, agent, rules, and where it is stored. */
export async function prepareSession(
  {given}: SessionStart,
  {demoCommand, runs}: {readonly runs: (id: string) => boolean} & Pick<RunKind, 'demoCommand'>,
): Promise<Result<PreparedSession>> {
  const setup = await setUpRun(given, {hasUser: true, demoCommand});
  const {options: resolved, kept, paths, log} = setup;
  const usable = resolved.ok ? withProgram(resolved.value) : resolved;
  if (!usable.ok) {
    setup.close();
    return usable;
  }
  const before = storedBefore(kept?.id, given.fork);
  if (before.continues !== undefined && runs(before.continues)) {
    setup.close();
    const why = `it runs in the background already; acp-tui attach ${before.continues} shows it`;
    return fail({kind: 'not_offered', what: 'resuming this session', why});
  }
  const options = {...usable.value, ...(await sessionServices(setup))};
  const {agent, cwd, additionalDirectories} = options;
  const {label, command, args} = agent;
  const session = kept?.session ?? initialSession({cwd, additionalDirectories, at: Date.now()});
  const problems = [...setup.problems];
  const onProblem = (problem: Failure) => log.write('warn', `not stored: ${failureSentence(problem)}`);
  const database = openDatabase(paths.state, {onDamaged: (sentence) => void problems.push(sentence)});
  const store = openSessionStore({state: paths.state, database, onProblem});
  const id = before.continues ?? newSessionId();
  const recorded = setup.save
    ? recordSession(store, {
        agent: {label, command, args},
        cwd,
        additionalDirectories,
        ...(before.continues === undefined && {id}),
        ...before,
        ...restoredAt(session),
      })
    : undefined;
  if (recorded && !recorded.ok) {
    database.close();
    setup.close();
    return recorded;
  }
  const recorder = recorded?.value.recorder;
  const journal = setup.save ? openJournal(database, {cwd, slot: --lastSlot, onProblem}) : undefined;
  recorder?.branchChanged(gitBranch(cwd));
  return {
    ok: true,
    value: {
      id,
      given,
      options,
      session,
      problems,
      recording: sessionRecording(recorder, {state: paths.state, copies: before.copies, journal}),
      close() {
        database.close();
        setup.close();
      },
    },
  };
}

/** A program that is missing is a failure at once: nobody may look at the session soon. */
function withProgram(options: ClientOptions): Result<ClientOptions> {
  const missing = missingProgram(options.agent);
  return missing ? fail(missing) : {ok: true, value: options};
}
