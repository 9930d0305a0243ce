import {exitCodeOf, exitCodeOfFailure} from '../cli/exit-codes.ts';
import type {BackgroundOptions, CommonOptions} from '../cli/options.ts';
import {openSubcommandIo, printFailure, type SubcommandIo} from '../cli/terminal-io.ts';
import {ownInputKind, readAll, readOfferedInput, withInput} from './print/standard-input.ts';
import {attachSession, type AttachedSession} from '../service/attached-session.ts';
import {connectService} from '../service/service-client.ts';
import type {TurnOutcome} from '../session/entries.ts';
import {connectionFailure} from '../session/lifecycle/connection.ts';
import {pendingRequestLine} from '../session/labels/asked-line.ts';
import {stateWord} from '../session/labels/session-states.ts';
import {reduce} from '../session/reduce.ts';
import {isQueueAtRest} from '../session/queue/queue.ts';
import {isIdle, isReady, messageText} from '../session/selectors.ts';
import type {SessionState} from '../session/state.ts';
import type {Failure, Result} from '../shared/failure.ts';
import {readSettings} from '../settings/settings.ts';
import {findPaths} from '../shared/files/paths.ts';
import {sessionStart} from './start/run-options.ts';

/** Starts a session in the background with a prompt of the arguments and standard input, and prints its id; resolves to the exit code. */
export async function runInBackground({
  prompt: typed,
  readStdin,
  ...given
}: BackgroundOptions): Promise<number> {
  const io = openSubcommandIo();
  const fail = (failure: Failure) => io.end(printFailure(io.stderr, failure, exitCodeOfFailure(failure)));
  const warn = (text: string) => io.stderr(`acp-tui: warning: ${text}\n`);
  const kind = ownInputKind();
  // Without another prompt it is what was meant, whoever else reads it.
  const offered = kind === 'shared' && typed === undefined ? 'ours' : kind;
  const input = await (readStdin
    ? readAll(process.stdin)
    : readOfferedInput(offered, () => process.stdin, {warn}).text);
  if (!input.ok) return fail(input.failure);
  const prompt = withInput(typed, input.value);
  if (given.wait && prompt === undefined)
    return fail({
      kind: 'not_offered',
      cannot: 'wait',
      why: '--wait needs a prompt, as an argument or on standard input',
    });
  const {state} = findPaths();
  const service = await connectService(state);
  if (!service.ok) return fail(service.failure);
  const started = await service.value.start(sessionStart(withWorktree(given, prompt), prompt));
  if (!started.ok) return fail(started.failure);
  const {id} = started.value;
  if (given.wait) io.stderr(`${id}\n`);
  else io.stdout.write(`${id}\n`);
  if (process.stderr.isTTY) io.stderr(`acp-tui attach ${id} shows it.\n`);
  const exitCode = given.wait ? await printWhenEnded(await attachSession(service.value, id, state), io) : 0;
  service.value.close();
  return io.end(exitCode);
}

/** A setting gives each session a worktree, where that is possible. */
function withWorktree(given: CommonOptions, prompt: string | undefined): CommonOptions {
  const {worktree, resumeRequest, additionalDirectories} = given;
  if (worktree) return {...given, worktree: {prompt, ...worktree}};
  const {settings} = readSettings(findPaths().config);
  if (!settings.worktrees?.background || resumeRequest || additionalDirectories.length > 0) return given;
  return {...given, worktree: {prompt, isOptional: true}};
}

/** Prints the last message of a session when its turns have ended, or what went wrong; resolves to the exit code. */
async function printWhenEnded(attached: Result<AttachedSession>, io: SubcommandIo): Promise<number> {
  if (!attached.ok) return printFailure(io.stderr, attached.failure);
  const answerable = `acp-tui attach ${attached.value.id()} shows it`;
  const session = await atRest(attached.value, (asks) =>
    io.stderr(`acp-tui: ${stateWord('waiting')}: ${asks} (${answerable})\n`),
  );
  if (isHeldAtStart(session)) return printFailure(io.stderr, HELD_AT_START, 2);
  const {entries, lastTurn, limitReached} = session;
  const failure = connectionFailure(session.connection);
  const ended: TurnOutcome | undefined = failure ? {kind: 'failed', failure} : lastTurn?.outcome;
  const last = entries.findLast((entry) => entry.type === 'agent_message');
  if (last && last.turn === lastTurn?.turn) io.stdout.write(`${messageText(last).trimEnd()}\n`);
  if (ended?.kind === 'failed') printFailure(io.stderr, ended.failure);
  if (limitReached !== undefined) io.stderr(`acp-tui: ${limitReached}\n`);
  if (failure?.kind === 'not_offered') return 1;
  return exitCodeOf({
    signal: undefined,
    timedOut: false,
    denied: false,
    failure: ended?.kind === 'failed' ? ended.failure : undefined,
    limitReached,
    stopReason: ended?.kind === 'stopped' ? ended.stopReason : undefined,
  });
}

const HELD_AT_START = 'The agent cannot be started before that is answered.';

/** True if the agent is only started after an answer: there is no turn whose end could be waited for. */
function isHeldAtStart({connection, pending}: SessionState): boolean {
  return connection.kind === 'starting' && connection.step === 'launching' && pending.length > 0;
}

/** Resolves with the session when nothing runs in it or waits to be sent, or if it is held at its start. Reports each thing that it asks. */
function atRest(attached: AttachedSession, onAsks: (line: string) => void): Promise<SessionState> {
  let state = attached.session;
  let asked: string | undefined;
  const {promise, resolve} = Promise.withResolvers<void>();
  const isOver = () => {
    const isIdleNow = isReady(state) && isIdle(state) && isQueueAtRest(state.queue);
    return isIdleNow || isHeldAtStart(state) || connectionFailure(state.connection) !== undefined;
  };
  const check = () => {
    const asks = pendingRequestLine(state);
    if (asks !== undefined && asks !== asked) onAsks(asks);
    asked = asks;
    // What follows from the end of a turn arrives with it, but after it.
    queueMicrotask(() => isOver() && resolve());
  };
  attached.follow((event) => {
    state = reduce(state, event);
    check();
  });
  check();
  return promise.then(() => state);
}
