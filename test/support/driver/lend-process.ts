import {EventEmitter} from 'node:events';
import path from 'node:path';

/** What a process has: of the one in which the tests run, too. */
export interface LentProcess extends Record<(typeof STREAMS)[number], unknown> {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Arguments of the command line. */
  readonly args: readonly string[];
}

/** The built program, as a user starts it. */
export const PROGRAM = path.resolve(import.meta.dirname, '../../../bin/acp-tui.js');

/** The built-in demo agent. */
export const DEMO = {
  command: process.execPath,
  args: [path.resolve(import.meta.dirname, '../../../dist/demo-agent.js')],
};

/** The runs of acp-tui in this process; what belongs to the process is that of the last one. */
let lent: readonly LentProcess[] = [];
let own: ReturnType<typeof takeState> | undefined;

/** The listeners of runs in this process. */
export const addedListeners = () => own?.added() ?? [];

/** Gives a run what belongs to the process: its environment, its folder, its streams and its listeners; returns what takes it back. */
export function lendProcess(to: LentProcess): () => void {
  if (!own) {
    own = takeState();
    refuseSuspending();
  }
  const give = (lent: LentProcess) => {
    setEnvironment(lent.env);
    process.chdir(lent.cwd);
    process.argv = [process.execPath, PROGRAM, ...lent.args];
    for (const name of STREAMS)
      Object.defineProperty(process, name, {value: lent[name], configurable: true, enumerable: true});
  };
  lent = [...lent, to];
  give(to);
  return () => {
    lent = lent.filter((each) => each !== to);
    const last = lent.at(-1);
    if (last) return give(last);
    own?.restore();
    own = undefined;
  };
}

const STREAMS = ['stdin', 'stdout', 'stderr'] as const;

function takeState() {
  const env = {...process.env};
  const cwd = process.cwd();
  const {argv, execArgv} = process;
  process.execArgv = [];
  const streams = STREAMS.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  const kill = Object.getOwnPropertyDescriptor(process, 'kill');
  const known = new Set(listeners().map(({listener}) => listener));
  const added = () => listeners().filter(({listener}) => !known.has(listener));
  return {
    added,
    restore() {
      for (const {event, listener} of added()) {
        process.off(event, listener);
        if (event === 'exit') listener();
      }
      for (const [name, descriptor] of streams)
        if (descriptor) Object.defineProperty(process, name, descriptor);
      setEnvironment(env);
      process.chdir(cwd);
      Object.assign(process, {argv, execArgv});
      if (kill) Object.defineProperty(process, 'kill', kill);
    },
  };
}

/** A window that suspends itself would suspend the whole run. */
function refuseSuspending(): void {
  const kill = process.kill.bind(process);
  process.kill = (pid, signal) => {
    if (pid === 0) throw new Error('suspend a window in a process of its own');
    return kill(pid, signal);
  };
}

function listeners() {
  const emitter = EventEmitter.prototype;
  return emitter.eventNames
    .call(process)
    .flatMap((event) =>
      emitter.rawListeners
        .call(process, event)
        .map((listener) => ({event, listener: listener as () => void})),
    );
}

function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}
