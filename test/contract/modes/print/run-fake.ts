import type {PrintOptions} from '../../../../src/cli/options.ts';
import {interpret} from '../../../../src/cli/program.ts';
import {runPrint} from '../../../../src/modes/print/print.ts';
import {
  createFakeConversation,
  type FakeConversation,
  type FakeConversationOptions,
  type Turn,
} from './fake-conversation.ts';
import {createMemoryIo, type MemoryIo, type MemoryIoOptions} from './memory-io.ts';

export interface FakeRun {
  readonly conversation: FakeConversation;
  readonly io: MemoryIo;
  readonly exitCode: Promise<number>;
}

/** Starts `acp-tui -p` with these arguments on a fake client; the command line is the real one. */
export function startFake(
  argv: readonly string[],
  turn: Turn,
  setup: Omit<FakeConversationOptions, 'turn'> & MemoryIoOptions = {},
): FakeRun {
  const conversation = createFakeConversation({...setup, turn});
  const io = createMemoryIo(setup);
  return {conversation, io, exitCode: runPrint(conversation, printOptions(argv), io)};
}

export interface FinishedRun {
  readonly conversation: FakeConversation;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The same, until it ends. */
export async function runFake(...args: Parameters<typeof startFake>): Promise<FinishedRun> {
  const {conversation, io, exitCode} = startFake(...args);
  return {conversation, exitCode: await exitCode, stdout: io.out(), stderr: io.err()};
}

function printOptions(argv: readonly string[]): PrintOptions {
  const parsed = interpret(['-p', ...argv], {stdinIsTty: false, stdoutIsTty: false});
  if (parsed.kind !== 'print') throw new Error(`not a print run: ${JSON.stringify(parsed)}`);
  return parsed.options;
}
