import {randomBytes} from 'node:crypto';
import {writeFile} from 'node:fs/promises';
import {passiveOptions} from '../../../cli/options.ts';
import type {AgentStarts} from '../../../agents/launch.ts';
import {setUpRun} from '../../start/run-setup.ts';
import {missingProgramFailure} from '../../../agents/launch.ts';
import {quietConsole} from '../../../protocol/quiet-console.ts';
import {bridgeTo, type Bridge} from '../../serve/bridge.ts';
import {serveAgents} from '../../serve/server.ts';
import {silentSandbox} from '../../../sandbox/session-sandbox.ts';
import {fileFailed} from '../../../shared/files/file-failure.ts';
import type {Failure, Result} from '../../../shared/failure.ts';
import {beforeSignal} from '../../../shared/processes/before-signal.ts';
import {exitCodeOfFailure} from '../../../cli/exit-codes.ts';
import {openSubcommandIo, printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';
import type {ServeAgentOptions} from './serve-arguments.ts';

const TOKEN_VARIABLE = 'ACP_TUI_SERVE_TOKEN';
/** Minimum length in characters; a shorter token could be guessed. */
const MIN_TOKEN_LENGTH = 16;
const TOKEN_BYTES = 32;
const PRIVATE_FILE = 0o600;

/** Runs `acp-tui serve` in this process: serves until a signal ends it, or resolves to the exit code of the failure. */
export async function serveAgentRun(given: ServeAgentOptions, {demoCommand}: AgentStarts): Promise<number> {
  const io = openSubcommandIo();
  const {agent: named, env} = given;
  // Files and commands are the clients' concern.
  const setup = await setUpRun(passiveOptions({agent: named, cwd: given.cwd, env}), {
    hasUser: false,
    demoCommand,
  });
  quietConsole(setup.log.write);
  const {options, log} = setup;
  const fail = (failure: Failure) => {
    setup.close();
    return io.end(printFailure(io.stderr, failure, exitCodeOfFailure(failure)));
  };
  if (!options.ok) return fail(options.failure);
  const {agent, cwd} = options.value;
  if (agent.remote)
    return fail({
      kind: 'not_offered',
      cannot: 'serve an agent that runs elsewhere',
      why: 'it has a URL already',
    });
  const missing = missingProgramFailure(agent, process.env);
  if (missing) return fail(missing);
  const token = await tokenFor(given);
  if (!token.ok) return fail(token.failure);
  const sandbox = silentSandbox(options.value, (text) => io.stderr(`acp-tui: ${text}\n`));
  const bridge = bridgeTo(agent, {
    cwd,
    sandbox: sandbox?.open,
    onFailure: (failure) => void printFailure(io.stderr, failure),
    log: (text) => log.write('info', text),
  });
  const served = await serveAgents(bridge, {...given, token: token.value.token});
  if (!served.ok) return fail(served.failure);
  report(io, {agent: agent.label, address: served.value.address, shown: token.value.shown});
  return untilSignal(bridge, async () => {
    await served.value.close();
    await sandbox?.close();
    setup.close();
  });
}

/** Serves until a signal, which then ends the program; on an immediate exit the agents are killed. */
function untilSignal(bridge: Bridge, close: () => Promise<void>): Promise<never> {
  process.on('exit', () => bridge.killNow());
  beforeSignal(close);
  return new Promise(() => {});
}

interface Served {
  readonly agent: string;
  readonly address: string;
  /** How the user finds the token. */
  readonly shown: string;
}

function report({stdout}: SubcommandIo, {agent, address, shown}: Served): void {
  stdout.write(`Serving ${agent} at ws://${address} and http://${address}\n${shown}\n`);
}

/** Returns the token of the environment, or a new one. */
async function tokenFor({
  tokenFile,
}: ServeAgentOptions): Promise<Result<{readonly token: string; readonly shown: string}>> {
  const given = process.env[TOKEN_VARIABLE];
  if (given !== undefined && (given.length < MIN_TOKEN_LENGTH || /[^\x21-\x7e]/.test(given))) {
    const why = `it needs at least ${MIN_TOKEN_LENGTH} characters, and no spaces`;
    return {ok: false, failure: {kind: 'not_offered', what: `the token in ${TOKEN_VARIABLE}`, why}};
  }
  const token = given ?? randomBytes(TOKEN_BYTES).toString('base64url');
  // Not passed on to agents.
  delete process.env[TOKEN_VARIABLE];
  if (tokenFile !== undefined) {
    try {
      await writeFile(tokenFile, `${token}\n`, {flag: 'wx', mode: PRIVATE_FILE});
    } catch (error) {
      return fileFailed(tokenFile, error);
    }
    return {ok: true, value: {token, shown: `Token in ${tokenFile}`}};
  }
  return {
    ok: true,
    value: {token, shown: given === undefined ? `Token: ${token}` : `Token of ${TOKEN_VARIABLE}`},
  };
}
