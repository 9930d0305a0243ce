import {resolve} from 'node:path';
import {text} from 'node:stream/consumers';
import {exitCodeOf} from '../cli/exit-codes.ts';
import type {CommonOptions, InteractiveOptions} from '../cli/options.ts';
import {attachSession, type AttachedSession} from '../service/attached-session.ts';
import type {SessionStart} from '../service/messages.ts';
import {connectService} from '../service/service-client.ts';
import type {TurnOutcome} from '../session/entries.ts';
import {reduce} from '../session/reduce.ts';
import {messageText} from '../session/selectors.ts';
import type {ConnectionState, SessionState} from '../session/state.ts';
import {failureSentence} from '../shared/failure-messages.ts';
import type {Failure} from '../shared/failure.ts';
import {findPaths} from '../storage/paths.ts';

/** Starts a session in the background with a prompt of the arguments or standard input, and prints its id; resolves to the exit code. */
export async function runInBackground({prompt: typed, ...given}: InteractiveOptions): Promise<number> {
  const prompt = typed ?? (await promptOnStdin());
  if (given.wait && prompt === undefined)
    return refused({kind: 'not_offered', what: '--wait', why: 'there is no prompt'});
  const {state} = findPaths();
  const service = await connectService(state);
  if (!service.ok) return refused(service.failure);
  const started = await service.value.start(sessionStart(given, prompt));
  if (!started.ok) return refused(started.failure);
  const {id} = started.value;
  const told = given.wait ? process.stderr : process.stdout;
  told.write(`${id}\n`);
  if (process.stderr.isTTY) process.stderr.write(`acp-tui attach ${id} shows it.\n`);
  const attached = given.wait ? await attachSession(service.value, id, state) : undefined;
  const exitCode = attached?.ok
    ? await printWhenEnded(attached.value)
    : attached
      ? refused(attached.failure)
      : 0;
  service.value.close();
  return exitCode;
}

/** Prints the last message of a session when its turns have ended, or what went wrong; resolves to the exit code. */
async function printWhenEnded(attached: AttachedSession): Promise<number> {
  const {entries, connection, lastTurn} = await atRest(attached);
  const failure = failureOf(connection);
  const ended: TurnOutcome | undefined = failure ? {kind: 'failed', failure} : lastTurn?.outcome;
  const last = entries.findLast((entry) => entry.type === 'agent_message');
  if (last && last.turn === lastTurn?.turn) process.stdout.write(`${messageText(last)}\n`);
  if (ended?.kind === 'failed') process.stderr.write(`acp-tui: ${failureSentence(ended.failure)}\n`);
  return exitCodeOf({
    signal: undefined,
    timedOut: false,
    denied: false,
    failure: ended?.kind === 'failed' ? ended.failure : undefined,
    stopReason: ended?.kind === 'stopped' ? ended.stopReason : undefined,
  });
}

/** Returns why a session has no agent, or cannot be used. */
function failureOf(connection: ConnectionState): Failure | undefined {
  if (connection.kind === 'authentication_required') return connection;
  if (connection.kind === 'closed') return {kind: 'not_offered', what: 'this session', why: 'it has ended'};
  return 'failure' in connection ? connection.failure : undefined;
}

/** Resolves with the session when nothing runs in it or waits to be sent. */
function atRest(attached: AttachedSession): Promise<SessionState> {
  let state = attached.session;
  const {promise, resolve} = Promise.withResolvers<SessionState>();
  const check = () => {
    const {connection, queue, turn} = state;
    const isWaiting = queue.isSending || (queue.prompts.length > 0 && !queue.isPaused);
    const isOpen = connection.kind === 'ready' || connection.kind === 'starting';
    if (!isOpen || (turn.kind === 'idle' && !isWaiting && connection.kind === 'ready')) resolve(state);
  };
  attached.follow((event) => {
    state = reduce(state, event);
    check();
  });
  check();
  return promise;
}

function refused(failure: Failure): number {
  process.stderr.write(`acp-tui: ${failureSentence(failure)}\n`);
  return 1;
}

async function promptOnStdin(): Promise<string | undefined> {
  const read = process.stdin.isTTY ? '' : (await text(process.stdin)).trimEnd();
  return read === '' ? undefined : read;
}

/** Returns how to start a session with these options, here and now. */
export function sessionStart(given: CommonOptions, prompt?: string): SessionStart {
  return {given: withAbsolutePaths(given), prompt, environment: process.env};
}

/** The service has another working folder. */
function withAbsolutePaths(given: CommonOptions): CommonOptions {
  const {cwd = '.', additionalDirectories, mcpConfig, record} = given;
  return {
    ...given,
    cwd: resolve(cwd),
    additionalDirectories: additionalDirectories.map((folder) => resolve(folder)),
    mcpConfig: mcpConfig.map((file) => resolve(file)),
    record: record && {...record, file: resolve(record.file)},
  };
}
