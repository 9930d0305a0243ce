import {createInterface} from 'node:readline/promises';
import {createOutput, exitCodeAfter} from '../headless/output.ts';
import {createOutputStyle, type OutputPage} from './output-style.ts';
import {escapeHiddenOnce} from '../text/hidden.ts';
import {truncate} from '../text/truncate.ts';

/** What a subcommand that is no chat reads and writes. */
export interface SubcommandIo {
  /** Results. */
  readonly stdout: OutputPage;
  /** Takes whole lines. */
  readonly stderr: (text: string) => void;
  readonly warn: (sentence: string) => void;
  /** Asks a question that is answered with yes or no; undefined where nobody can be asked. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
  /** Calls back once when the results go nowhere any more. */
  readonly onClosed: (listener: () => void) => void;
  /** Shows how far something is, now and then, in the place of what it showed before; '' shows nothing. Undefined where nobody watches. */
  readonly status: ((text: string) => void) | undefined;
  /** Resolves when everything is written, to the exit code: this one, or that of results that could not be written. */
  end(exitCode: number): Promise<number>;
}

/** Nobody reads faster. */
const STATUS_PACE_MS = 100;

export function openSubcommandIo(): SubcommandIo {
  const stdout = createOutput(process.stdout, 'Standard output');
  const stderr = createOutput(process.stderr, 'Standard error');
  const columns = () => process.stderr.columns ?? 80;
  const say = (text: string) => {
    stdout.flush();
    stderr.write(text);
    stderr.flush();
  };
  let shownAt = -Infinity;
  const status = (text: string) => {
    if (text !== '' && performance.now() - shownAt < STATUS_PACE_MS) return;
    shownAt = text === '' ? -Infinity : performance.now();
    say(`\r\x1b[K${truncate(text, columns() - 1)}`);
  };
  return {
    stdout: {
      write: (text) => stdout.write(text),
      columns: stdout.isTerminal ? process.stdout.columns : undefined,
      look: createOutputStyle(stdout),
    },
    stderr: (text) => say(escapeHiddenOnce(text)),
    warn: (sentence) => say(escapeHiddenOnce(`acp-tui: warning: ${sentence}\n`)),
    confirm: process.stdin.isTTY && stderr.isTerminal ? askOnTerminal : undefined,
    onClosed: (listener) => stdout.onBroken(listener),
    status: stderr.isTerminal ? status : undefined,
    end: (exitCode) => exitCodeAfter({stdout, stderr}, exitCode),
  };
}

/** Anything but a yes is a no, also the end of the input. Ctrl+C interrupts the program, as it does without a question. */
async function askOnTerminal(question: string): Promise<boolean> {
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  terminal.once('SIGINT', () => {
    terminal.close();
    process.kill(process.pid, 'SIGINT');
  });
  const answer = await Promise.race([terminal.question(question), closed]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
