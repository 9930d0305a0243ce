import {randomBytes} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {LIMITS} from '../../shared/limits.ts';
import {
  accept,
  refuse,
  type HostResponse,
  type Refusal,
  type TerminalListener,
  type TerminalService,
} from '../services.ts';
import {
  checkCommand,
  identityOf,
  type CheckedCommand,
  type CommandContext,
  type CommandToApprove,
} from './command.ts';
import type {Sandbox} from '../../sandbox/sandbox.ts';
import {settledUnless} from '../../shared/timers/settled-within.ts';
import type {OpenSandbox} from '../../sandbox/session-sandbox.ts';
import {errorMessage} from '../../shared/failure.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {openFolder} from '../files/folder.ts';
import type {SpawnPty} from './command-process.ts';
import {startTerminal, type Terminal} from './terminal.ts';

interface TerminalsOptions extends CommandContext {
  readonly listener: TerminalListener;
  /** Pseudo-terminals, see `openPty`. Without them commands have pipes and no input. */
  readonly pty?: ReturnType<typeof openPty> | undefined;
  /** Opens the sandbox that commands run in; absent if they are not confined. */
  readonly sandbox?: OpenSandbox | undefined;
}

export interface Terminals extends TerminalService {
  /** Runs a command without checks: the user's own. */
  start(command: CheckedCommand): Promise<HostResponse<acp.CreateTerminalResponse>>;
  /** Ctrl+C. */
  interrupt(terminalId: acp.TerminalId): void;
  /** `approve` is called once the command was checked. It may refuse it, or return another line in its place, which it has let `check`. */
  create(
    request: acp.CreateTerminalRequest,
    approve?: (
      command: CommandToApprove,
      check: (line: string) => Promise<HostResponse<CommandToApprove>>,
    ) => Promise<HostResponse<CommandToApprove>>,
  ): Promise<HostResponse<acp.CreateTerminalResponse>>;
}

interface State {
  readonly listener: TerminalListener;
  /** Those that the agent can refer to. */
  readonly terminals: Map<acp.TerminalId, Terminal>;
  /** Those that may have left processes running. */
  readonly alive: Map<Terminal, Generation>;
  /** Number of commands being checked, approved and started for the agent. */
  coming: number;
  /** True once the agent has reached its limit, which is reported once. */
  wasLimited: boolean;
  /** Generations that are not closed, the current one last. */
  generations: readonly Generation[];
}

/** Commands that are closed together. Aborting it ends waits, and cancels commands that have not started. */
type Generation = AbortController;

const TOO_MANY = `${LIMITS.terminals} commands are already running in this session. Wait for one to end, or kill one.`;

/** Loads support for pseudo-terminals on first use; reports once if there is none. */
export function openPty(load: () => Promise<SpawnPty>, {withoutPty}: Pick<TerminalListener, 'withoutPty'>) {
  let loaded: Promise<SpawnPty | undefined> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      withoutPty(errorMessage(error).split('\n')[0] ?? '');
      return undefined;
    }));
}

/** "Terminals" as child processes. Never asks the user. Unknown and released ids get -32002. */
export function createTerminals(options: TerminalsOptions): Terminals {
  const {listener} = options;
  const state: State = {
    listener,
    terminals: new Map(),
    alive: new Map(),
    coming: 0,
    wasLimited: false,
    generations: [new AbortController()],
  };

  async function startIn(generation: Generation, command: CommandInSandbox): Promise<HostResponse<Begun>> {
    const spawnPty = await options.pty?.();
    if (generation.signal.aborted) return refuse('cancelled', 'The session ended.');
    return start(state, {...command, spawnPty, generation});
  }

  async function createChecked(...[request, approve]: Parameters<Terminals['create']>) {
    const generation = current(state);
    const opened = await options.sandbox?.();
    if (opened && !opened.ok) return refuse('internal', failureSentence(opened.failure));
    const sandbox = opened?.value;
    const env = sandbox?.policy.environment ?? options.env;
    const command = await approvedCommand(request, approve, {...options, env});
    return command.ok
      ? inItsFolder(command.value, (checked) => startIn(generation, {...checked, sandbox}))
      : command;
  }

  return {
    create: (request, approve) => withinLimit(state, () => createChecked(request, approve)),
    async start(command) {
      const begun = await startIn(current(state), command);
      return begun.ok ? accept({terminalId: begun.value.terminalId}) : begun;
    },
    interrupt: (id) => state.terminals.get(id)?.interrupt(),
    output: (id) => withTerminal(state, id, currentOutput),
    waitForExit: async (id, signal) =>
      withTerminal(state, id, (terminal) =>
        waitForExit(terminal, AbortSignal.any([signal, generationOf(state, terminal).signal])),
      ),
    kill: async (id) =>
      withTerminal(state, id, async (terminal) => {
        await terminal.end();
        return accept({});
      }),
    release: async (id) =>
      withTerminal(state, id, async (terminal) => {
        state.terminals.delete(id);
        listener.released(id);
        await endAndForget(state, terminal);
        return accept({});
      }),
    type: (id, text) => state.terminals.get(id)?.type(text),
    awaitsInput: (id) => state.terminals.get(id)?.awaitsInput() ?? false,
    startGeneration: () => startGeneration(state),
    closeAll: () => startGeneration(state)(),
    killAllNow() {
      for (const terminal of state.alive.keys()) terminal.killNow();
    },
  };
}

/** Returns the command that runs if it was approved: another one if the user has changed it. */
async function approvedCommand(
  request: acp.CreateTerminalRequest,
  approve: Parameters<Terminals['create']>[1],
  context: CommandContext,
): Promise<HostResponse<CommandToApprove>> {
  const first = await checkCommand(request, context);
  if (!first.ok || !approve) return first;
  return approve(first.value, async (line) => {
    const edited = await checkCommand({...request, command: line, args: []}, context);
    // In the folder that was shown, whatever stands at its path by now.
    return edited.ok ? accept({...edited.value, folder: first.value.folder}) : edited;
  });
}

/**
 * Starts a command in exactly the folder that was checked; on systems that cannot guarantee that, its path is checked again. The folder is held open until the
 * command has exited: a child may take a moment to enter it.
 */
async function inItsFolder(
  command: CommandToApprove,
  begin: (command: CheckedCommand) => Promise<HostResponse<Begun>>,
): Promise<HostResponse<acp.CreateTerminalResponse>> {
  const {place, identity} = command.folder;
  const folder = await openFolder(place.root, place.names).catch(() => undefined);
  const found = folder && (await identityOf(place, folder.path).catch(() => undefined));
  if (folder === undefined || found !== identity) {
    await folder?.close();
    return refuse('invalidParams', `The folder was replaced after the request: ${place.path}`);
  }
  const begun = await begin({...command, startIn: folder.path});
  const ended = begun.ok ? begun.value.terminal.exited : Promise.resolve();
  void ended.then(() => folder.close());
  return begun.ok ? accept({terminalId: begun.value.terminalId}) : begun;
}

interface CommandInSandbox extends CheckedCommand {
  readonly sandbox?: Sandbox | undefined;
}

interface CommandToStart extends CommandInSandbox {
  readonly spawnPty: SpawnPty | undefined;
  readonly generation: Generation;
}

/** A command that was started. */
interface Begun {
  readonly terminalId: acp.TerminalId;
  readonly terminal: Terminal;
}

async function start(state: State, command: CommandToStart): Promise<HostResponse<Begun>> {
  const {listener} = state;
  const terminalId = `term_${randomBytes(6).toString('hex')}`;
  const terminal = startTerminal({
    ...command,
    onOutput: (text) => listener.output(terminalId, text),
  });
  if ('problem' in terminal)
    return refuse('internal', `The command could not be started: ${await terminal.problem}`);
  state.terminals.set(terminalId, terminal);
  state.alive.set(terminal, command.generation);
  listener.created(terminalId, {command: command.line, cwd: command.cwd, pty: terminal.hasPty});
  void terminal.exited.then((exit) => listener.exited(terminalId, exit));
  return accept({terminalId, terminal});
}

function current({generations}: State): Generation {
  return generations.at(-1) as Generation;
}

function generationOf(state: State, terminal: Terminal): Generation {
  return state.alive.get(terminal) ?? current(state);
}

function startGeneration(state: State): () => Promise<void> {
  const earlier = state.generations;
  state.generations = [...earlier, new AbortController()];
  return () => close(state, earlier);
}

async function close(state: State, generations: readonly Generation[]): Promise<void> {
  for (const generation of generations) generation.abort();
  state.generations = state.generations.filter((each) => !generations.includes(each));
  const ended = [...state.alive].filter(([, generation]) => generations.includes(generation));
  for (const [id, terminal] of state.terminals)
    if (ended.some(([one]) => one === terminal)) state.terminals.delete(id);
  await Promise.all(ended.map(([terminal]) => endAndForget(state, terminal)));
}

async function endAndForget(state: State, terminal: Terminal): Promise<void> {
  await terminal.end();
  state.alive.delete(terminal);
}

/** Refuses if the agent has reached its limit of running or starting commands. */
async function withinLimit<T>(
  state: State,
  create: () => Promise<HostResponse<T>>,
): Promise<HostResponse<T>> {
  const running = [...state.terminals.values()].filter((terminal) => !terminal.exit()).length;
  if (running + state.coming >= LIMITS.terminals) {
    if (!state.wasLimited) state.listener.limited();
    state.wasLimited = true;
    return refuse('internal', TOO_MANY, {reason: 'limit', limit: LIMITS.terminals});
  }
  state.coming++;
  return create().finally(() => state.coming--);
}

function withTerminal<T>(state: State, id: acp.TerminalId, work: (terminal: Terminal) => T): T | Refusal {
  const terminal = state.terminals.get(id);
  return terminal ? work(terminal) : refuse('notFound', `No such terminal, or it was released: ${id}`);
}

function currentOutput(terminal: Terminal): HostResponse<acp.TerminalOutputResponse> {
  const exit = terminal.exit();
  return accept({...terminal.output(), ...(exit && {exitStatus: exitStatus(exit)})});
}

async function waitForExit(
  terminal: Terminal,
  signal: AbortSignal,
): Promise<HostResponse<acp.WaitForTerminalExitResponse>> {
  const exit = await settledUnless(terminal.exited, signal);
  return exit ? accept(exitStatus(exit)) : refuse('cancelled', 'The wait was cancelled.');
}

function exitStatus({
  code,
  signal,
}: {
  code: number | null;
  signal: string | null;
}): acp.WaitForTerminalExitResponse {
  return {exitCode: code, signal};
}
