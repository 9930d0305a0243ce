import {EventEmitter} from 'node:events';
import {Readable, Writable} from 'node:stream';
import {parseArguments} from '../../../src/modes/parse-arguments.ts';
import {AGENTS_HERE} from '../agent-here.ts';
import {useProgram} from './chat.ts';
import {addedListeners, lendProcess, type LentProcess} from './lend-process.ts';
import type {Program, ProgramOptions} from './program.ts';

/**
 * Runs the window in the process of the test, with streams in place of a terminal: a program of its own takes seconds to start. Everything else is as in
 * `main.ts`; agents are as `startAgentHere` starts them.
 */
function runHere({args, ...options}: ProgramOptions): Program {
  const streams = createStreams(options);
  const exit = new EventEmitter<{exit: [{readonly exitCode: number}]}>();
  void run({args: args.slice(1), ...options, ...streams, stderr: streams.stdout}).then((exitCode) =>
    exit.emit('exit', {exitCode}),
  );
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

async function run(lent: LentProcess & ReturnType<typeof createStreams>): Promise<number> {
  // Before the environment is the window's: modules read colors from it once.
  const screen = await import('../../../components/start.tsx');
  const {runInteractive} = await import('../../../src/modes/window/interactive.ts');
  const {runAttached} = await import('../../../src/modes/window/attach.ts');
  const takeBack = lendProcess(lent);
  try {
    const {columns} = lent.stdout;
    const parsed = await parseArguments(lent.args, {stdinIsTty: true, stdoutIsTty: true, columns});
    const environment = {...AGENTS_HERE, loadScreen: async () => screen};
    if (parsed.kind === 'attach') return await runAttached(parsed.id, environment);
    if (parsed.kind !== 'interactive') throw new Error(`only a window runs here, not ${parsed.kind}`);
    return await runInteractive(parsed.options, environment);
  } finally {
    takeBack();
  }
}

/** As if the process had received it. */
function sendSignal(signal: NodeJS.Signals): void {
  const handlers = addedListeners().filter(({event}) => event === signal);
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

useProgram(runHere);
