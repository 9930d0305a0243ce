import type {CompletionCommand, ListName} from './completion-arguments.ts';
import {findPaths} from '../../storage/paths.ts';
import {openSubcommandIo} from '../terminal-io.ts';

/** Runs `acp-tui completion …` in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function completionRun(command: CompletionCommand): Promise<number> {
  const io = openSubcommandIo();
  io.stdout.write(
    command.kind === 'list'
      ? await listText(command.list)
      : (await import('./shell-scripts.ts')).completionScript(command.shell),
  );
  return io.end(0);
}

async function listText(list: ListName): Promise<string> {
  const {listCandidates, candidateLines} = await import('./candidates.ts');
  return candidateLines(await listCandidates(list, findPaths(), process.env));
}
