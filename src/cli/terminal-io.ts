import {createInterface} from 'node:readline/promises';
import {NO_SUCH_SESSION} from './exit-codes.ts';
import {createOutput, exitCodeAfter} from './output.ts';
import {createProgressLine} from './progress-line.ts';
import {beforeSignal} from '../shared/processes/before-signal.ts';
import type {Failure} from '../shared/failure.ts';
import {failureSentence} from '../shared/failure-messages.ts';
import {escapeHiddenOnce} from '../text/hidden.ts';
import {createOutputStyle, type OutputPage} from './output-style.ts';

/** Input and output of a subcommand. */
export interface SubcommandIo {
  /** Results. */
  readonly stdout: OutputPage;
  /** Writes results that are not text. */
  readonly writeBytes: (bytes: Uint8Array) => void;
  /** Writes whole lines. */
  readonly stderr: (text: string) => void;
  readonly warn: (sentence: string) => void;
  /** Asks a yes or no question; undefined if there is no user. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
  /** Calls back once when standard output is closed. */
  readonly onClosed: (listener: () => void) => void;
  /** Shows progress in a throttled progress line, replacing the previous text; '' clears it. Undefined without a terminal. */
  readonly status: ((text: string) => void) | undefined;
  /** Resolves when everything is written, to the exit code: `exitCode`, or the one for results that could not be written. */
  end(exitCode: number): Promise<number>;
}

export function openSubcommandIo(): SubcommandIo {
  const stdout = createOutput(process.stdout, 'standard output');
  const stderr = createOutput(process.stderr, 'standard error');
  const columns = () => process.stderr.columns ?? 80;
  const say = (text: string) => {
    stdout.flush();
    stderr.write(text);
    stderr.flush();
  };
  return {
    stdout: {
      write: (text) => stdout.write(text),
      columns: stdout.isTerminal ? process.stdout.columns : undefined,
      style: createOutputStyle(stdout),
    },
    writeBytes: (bytes) => stdout.write(bytes),
    stderr: (text) => say(escapeHiddenOnce(text)),
    warn: (sentence) => say(escapeHiddenOnce(`acp-tui: warning: ${sentence}\n`)),
    confirm: process.stdin.isTTY && stderr.isTerminal ? askOnTerminal : undefined,
    onClosed: (listener) => stdout.onBroken(listener),
    status: stderr.isTerminal ? createProgressLine(say, columns) : undefined,
    end: (exitCode) => exitCodeAfter({stdout, stderr}, exitCode),
  };
}

/** Prints why something is not done; returns the exit code. */
export function printFailure(
  stderr: SubcommandIo['stderr'],
  problem: Failure | string,
  exitCode = typeof problem === 'object' && problem.kind === 'no_such_session' ? NO_SUCH_SESSION : 1,
): number {
  stderr(`acp-tui: ${typeof problem === 'string' ? problem : failureSentence(problem)}\n`);
  return exitCode;
}

/** Anything but a yes is a no, including the end of the input. Ctrl+C interrupts the program as usual. */
async function askOnTerminal(question: string): Promise<boolean> {
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  // The question changes terminal modes, which a signal would leave set.
  const stop = beforeSignal(() => terminal.close());
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const answer = await Promise.race([terminal.question(question), closed]);
  terminal.close();
  stop();
  return /^y(es)?$/i.test(answer.trim());
}
