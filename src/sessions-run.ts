import {createInterface} from 'node:readline/promises';
import type {SessionsCommand} from './cli/sessions/commands.ts';
import {failureSentence} from './errors.ts';
import {createOutput} from './headless/output.ts';
import {openDatabase} from './persistence/database/database.ts';
import {createMask} from './persistence/mask.ts';
import {findPaths} from './persistence/paths.ts';
import {openSessionStore} from './persistence/sessions/session-store.ts';
import {createLook} from './subcommands/sessions/look.ts';
import {runSessionsCommand} from './subcommands/sessions/run.ts';

/** `acp-tui sessions …` in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function sessionsRun(command: SessionsCommand): Promise<number> {
  const stdout = createOutput(process.stdout);
  const stderr = createOutput(process.stderr);
  const say = (text: string) => {
    stdout.flush();
    stderr.write(text);
    stderr.flush();
  };
  const {state} = findPaths();
  const database = openDatabase(state, {onDamaged: (sentence) => say(`acp-tui: warning: ${sentence}\n`)});
  const store = openSessionStore({
    state,
    database,
    onProblem: (problem) => say(`acp-tui: warning: ${failureSentence(problem)}\n`),
  });
  // What a killed window left untold; after that the files and the index agree.
  await store.catchUp();
  const exitCode = await runSessionsCommand(command, {
    store,
    stdout: {
      write: (text) => stdout.write(text),
      columns: stdout.isTerminal ? process.stdout.columns : undefined,
      look: createLook(stdout),
    },
    stderr: say,
    now: Date.now,
    cwd: process.cwd(),
    mask: createMask(process.env),
    confirm: process.stdin.isTTY && stderr.isTerminal ? askOnTerminal : undefined,
  });
  database.close();
  await Promise.all([stdout.written(), stderr.written()]);
  return exitCode;
}

/** Anything but a yes is a no, also the end of the input. */
async function askOnTerminal(question: string): Promise<boolean> {
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(question), closed]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
