import {withoutTerminal} from '../../agents/environment.ts';
import {missingProgramFailure} from '../../agents/launch.ts';
import {nameOf} from '../../agents/resolve.ts';
import type {ConversationOptions} from '../../conversation/options.ts';
import type {PreparedSession} from '../../service/hosted-session.ts';
import {hostedStorage} from '../../service/hosted-storage.ts';
import type {SessionStart} from '../../service/messages.ts';
import {initialSession} from '../../session/initial.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {fail, type Failure, type Result} from '../../shared/failure.ts';
import {openJournal} from '../../storage/drafts/journal.ts';
import {recordSession, sessionOrigin} from '../../storage/sessions/record-session.ts';
import {newSessionId} from '../../storage/sessions/recorder.ts';
import {openStored} from '../../storage/sessions/session-store.ts';
import {resumeOrigin, type ResumeOrigin} from '../../storage/sessions/stored-session.ts';
import type {RunKind} from './run-options.ts';
import {notStoredNotice, storedElsewhereNotice} from '../../window/sessions/storage-notices.ts';
import {setUpRun, type RunSetup} from './run-setup.ts';
import {sessionServices} from './session-services.ts';
import {typedCall} from './typed-call.ts';

/** Journals of the process have different slots. */
let lastSlot = 0;

type Preparation = {readonly reserve: (id: string) => boolean} & Pick<RunKind, 'demoCommand'>;

/** Prepares a session of the background service as a window prepares its first one: settings, agent, rules, and where it is stored. */
export async function prepareSession(
  start: SessionStart,
  {demoCommand, reserve}: Preparation,
): Promise<Result<PreparedSession>> {
  const {given, environment, mcpServers, showsProblems: isOfWindow} = start;
  const setup = await setUpRun(given, {hasUser: true, isOfWindow, demoCommand, mcpServers, environment});
  const prepared = await prepareIn(setup, start, reserve);
  if (prepared.ok) return prepared;
  await setup.discard();
  setup.close();
  return prepared;
}

async function prepareIn(
  setup: RunSetup,
  {given, prompt, id: wanted, showsProblems}: SessionStart,
  reserve: Preparation['reserve'],
): Promise<Result<PreparedSession>> {
  const {options: resolved, kept} = setup;
  const usable = resolved.ok ? withProgram(resolved.value) : resolved;
  if (!usable.ok) return usable;
  // An agent's own session that is not stored here is opened in a window: nobody would see what it replays, or why it cannot.
  if (given.resumeRequest && !kept) {
    const {resumeRequest: asked} = given;
    return fail({kind: 'no_such_session', wanted: asked.which === 'named' ? asked.id : ''});
  }
  const before = resumeOrigin(kept?.id, given.fork);
  if (before.continues !== undefined && !reserve(before.continues)) {
    const why = `it runs in the background already; acp-tui attach ${before.continues} shows it`;
    return fail({kind: 'not_offered', cannot: 'resume this session', why});
  }
  const options = {
    ...usable.value,
    environment: withoutTerminal(usable.value.environment),
    ...(await sessionServices(setup)),
  };
  const {agent, cwd, additionalDirectories} = options;
  const session = kept?.session ?? initialSession({cwd, additionalDirectories, at: Date.now()});
  const listed = await options.customCommands.list(cwd);
  const typed = prompt === undefined ? undefined : typedCall(prompt, {...listed, agents: []});
  if (typed?.ok === false) return typed;
  const opened = openStorage(setup, {options, session, before, wanted});
  if (!opened.ok) return opened;
  const {id, storage, unsent, problems, onNotStored, close} = opened.value;
  return {
    ok: true,
    value: {
      id,
      // What a window that shows it starts others with: one that is resumed names neither.
      given: {...setup.given, agent: setup.given.agent ?? nameOf(agent), cwd, additionalDirectories},
      options,
      session,
      prompt: typed?.value,
      problems: [...setup.notices, ...(showsProblems ? [] : setup.problems), ...problems],
      storage,
      unsent,
      onNotStored,
      close() {
        close();
        setup.close();
      },
    },
  };
}

interface ToStore extends Pick<PreparedSession, 'options' | 'session'> {
  readonly before: ResumeOrigin;
  /** The id of a new session; by default one is chosen. */
  readonly wanted: string | undefined;
}

interface OpenStorage extends Pick<PreparedSession, 'id' | 'storage' | 'unsent' | 'onNotStored'> {
  /** What the user should know, in sentences. */
  readonly problems: readonly string[];
  readonly close: () => void;
}

function openStorage(
  {paths, log, save}: RunSetup,
  {options, session, before, wanted = newSessionId()}: ToStore,
): Result<OpenStorage> {
  const {state} = paths;
  const {cwd} = options;
  const problems: string[] = [];
  const told = new Set<string>();
  let tell: (sentence: string) => void = (sentence) => problems.push(sentence);
  const onNotStored = (listener: typeof tell) => void (tell = listener);
  function onProblem(problem: Failure): void {
    const sentence = notStoredNotice(problem, state);
    if (told.has(sentence)) return;
    told.add(sentence);
    log.write('warn', `not stored: ${failureSentence(problem)}`);
    tell(sentence);
  }
  const {database, store} = openStored({
    state,
    onDamaged(sentence) {
      tell(sentence);
      void store.reindex();
    },
    onProblem,
  });
  const close = () => database.close();
  const {continues} = before;
  const common = {id: continues ?? wanted, problems, onNotStored, close};
  if (!save) return {ok: true, value: {...common, storage: hostedStorage(undefined, {state})}};
  const recorded = recordSession(store, {...sessionOrigin(options, before, session), id: wanted});
  if (!recorded.ok) {
    close();
    return recorded;
  }
  const {recorder, elsewhere} = recorded.value;
  const copied = storedElsewhereNotice(recorded);
  if (copied !== undefined) problems.push(copied);
  const journal = openJournal(database, {cwd, slot: --lastSlot, session: () => recorder.id(), onProblem});
  const storage = hostedStorage(recorder, {state, journal, sessions: store});
  const unsent = journal.ofSession(continues);
  return {ok: true, value: {...common, ...(elsewhere && {id: wanted}), storage, unsent}};
}

/** A program that is missing is a failure at once: nobody may look at the session soon. */
function withProgram(options: ConversationOptions): Result<ConversationOptions> {
  const missing = missingProgramFailure(options.agent, options.environment);
  return missing ? fail(missing) : {ok: true, value: options};
}
