import type {PrintOptions} from '../../../../src/cli/options.ts';
import {interpret} from '../../../../src/cli/program.ts';
import {runPrint} from '../../../../src/modes/print/print.ts';
import {createFakeClient, type FakeClient, type FakeClientOptions, type Turn} from './fake-client.ts';
import {createMemoryIo, type MemoryIo, type MemoryIoOptions} from './memory-io.ts';

export interface FakeRun {
  readonly client: FakeClient;
  readonly io: MemoryIo;
  readonly exitCode: Promise<number>;
}

/** Starts `acp-tui -p` with these arguments on a fake client; the command line is the real one. */
export function startFake(
  argv: readonly string[],
  turn: Turn,
  setup: Omit<FakeClientOptions, 'turn'> & MemoryIoOptions = {},
): FakeRun {
  const client = createFakeClient({...setup, turn});
  const io = createMemoryIo(setup);
  return {client, io, exitCode: runPrint(client, printOptions(argv), io)};
}

export interface FinishedRun {
  readonly client: FakeClient;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The same, until it ends. */
export async function runFake(...args: Parameters<typeof startFake>): Promise<FinishedRun> {
  const {client, io, exitCode} = startFake(...args);
  return {client, exitCode: await exitCode, stdout: io.out(), stderr: io.err()};
}

function printOptions(argv: readonly string[]): PrintOptions {
  const parsed = interpret(['-p', ...argv], {stdinIsTty: false, stdoutIsTty: false});
  if (parsed.kind !== 'print') throw new Error(`not a print run: ${JSON.stringify(parsed)}`);
  return parsed.options;
}
