import {EventEmitter} from 'node:events';
import path from 'node:path';
import {Readable, Writable} from 'node:stream';
import {parseArguments} from '../../../src/cli/parse-arguments.ts';
import {useProgram} from './chat.ts';
import type {Program, ProgramOptions} from './program.ts';

const DEMO_AGENT = path.resolve(import.meta.dirname, '../../../dist/demo-agent.js');

/**
 * Runs the window in the process of the test, with streams in place of a terminal: a program of its own takes seconds to start. Everything else is as in
 * `main.ts`, and agents are processes. The whole process is the window's meanwhile: its environment, its folder, its streams and its listeners.
 */
function runHere({args, ...options}: ProgramOptions): Program {
  const streams = createStreams(options);
  const exit = new EventEmitter<{exit: [{readonly exitCode: number}]}>();
  void run(args.slice(1), {...options, ...streams}).then((exitCode) => exit.emit('exit', {exitCode}));
  const {stdin, stdout} = streams;
  return {
    pid: process.pid,
    write: (data) => void stdin.push(Buffer.from(data)),
    resize(columns, rows) {
      Object.assign(stdout, {columns, rows});
      stdout.emit('resize');
    },
    kill: sendSignal,
    hangUp: () => void stdin.push(null),
    end: () => void stdin.push(null),
    onData: (listener) => stdout.on('data', listener),
    onExit: (listener) => exit.on('exit', listener),
  };
}

async function run(argv: readonly string[], lent: Lent): Promise<number> {
  // Before the environment is the window's: modules read colors from it once.
  const screen = await import('../../../components/start.tsx');
  const {runInteractive} = await import('../../../src/bootstrap/window/interactive.ts');
  const takeBack = lendProcess(lent);
  try {
    const {columns} = lent.stdout;
    const parsed = await parseArguments(argv, {stdinIsTty: true, stdoutIsTty: true, columns});
    if (parsed.kind !== 'interactive') throw new Error(`only a window runs here, not ${parsed.kind}`);
    return await runInteractive(parsed.options, {
      demoCommand: {command: process.execPath, args: [DEMO_AGENT]},
      loadScreen: async () => screen,
    });
  } finally {
    takeBack();
  }
}

/** As if the process had received it. */
function sendSignal(signal: NodeJS.Signals): void {
  const handlers = own?.added().filter(({event}) => event === signal) ?? [];
  if (handlers.length === 0) throw new Error(`the process of the test would not survive ${signal}`);
  for (const {listener} of handlers) listener();
}

type Size = Pick<ProgramOptions, 'columns' | 'rows'>;

/** Streams like those of a terminal in raw mode. */
function createStreams({columns, rows}: Size) {
  const stdin = Object.assign(new Readable({read() {}}), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  });
  // The terminal driver makes line feeds start a line.
  const screen = new Writable({
    decodeStrings: false,
    write(data: string | Buffer, _encoding, written) {
      stdout.emit('data', String(data).replaceAll('\n', '\r\n'));
      written();
    },
  });
  const stdout = Object.assign(screen, {isTTY: true, columns, rows, getColorDepth: () => 24});
  return {stdin, stdout};
}

type Lent = Pick<ProgramOptions, 'cwd' | 'env'> & ReturnType<typeof createStreams>;

/** The windows that run here; what belongs to the process is that of the last one. */
let lent: readonly Lent[] = [];
let own: ReturnType<typeof takeState> | undefined;

/** Gives a window what belongs to the process; returns what takes it back. */
function lendProcess(to: Lent): () => void {
  if (!own) {
    own = takeState();
    refuseSuspending();
  }
  const give = (lent: Lent) => {
    setEnvironment(lent.env);
    process.chdir(lent.cwd);
    setStreams({stdin: lent.stdin, stdout: lent.stdout, stderr: lent.stdout});
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
  const streams = STREAMS.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  const kill = Object.getOwnPropertyDescriptor(process, 'kill');
  const known = new Set(listeners().map(({listener}) => listener));
  const added = () => listeners().filter(({listener}) => !known.has(listener));
  return {
    /** The listeners of windows. */
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

function setStreams(streams: Readonly<Record<(typeof STREAMS)[number], unknown>>): void {
  for (const name of STREAMS)
    Object.defineProperty(process, name, {value: streams[name], configurable: true, enumerable: true});
}

useProgram(runHere);
