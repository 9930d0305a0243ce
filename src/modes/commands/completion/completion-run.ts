import type {CompletionCommand} from './completion-arguments.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {openSubcommandIo} from '../../../cli/terminal-io.ts';

/** Runs `acp-tui completion …` in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function completionRun(command: CompletionCommand): Promise<number> {
  const io = openSubcommandIo();
  io.stdout.write(await outputOf(command));
  return io.end(0);
}

async function outputOf(command: CompletionCommand): Promise<string> {
  if (command.kind === 'script') return (await import('./shell-scripts.ts')).completionScript(command.shell);
  return (await import('./candidates.ts')).completionLines(command.words, findPaths(), process.env);
}
