import type {CompletionCommand} from './completion-arguments.ts';
import {findPaths} from '../../storage/paths.ts';
import {openSubcommandIo} from '../terminal-io.ts';

/** Runs `acp-tui completion …` in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function completionRun(command: CompletionCommand): Promise<number> {
  const io = openSubcommandIo();
  io.stdout.write(command.kind === 'list' ? await listText(command.list) : await scriptFor(command.shell));
  return io.end(0);
}

type Asked<Kind extends CompletionCommand['kind']> = Extract<CompletionCommand, {kind: Kind}>;

async function listText(list: Asked<'list'>['list']): Promise<string> {
  const {listCandidates, candidateLines} = await import('./candidates.ts');
  return candidateLines(await listCandidates(list, findPaths(), process.env));
}

async function scriptFor(shell: Asked<'script'>['shell']): Promise<string> {
  const {completionSpec} = await import('./completion-spec.ts');
  switch (shell) {
    case 'bash':
      return (await import('./shell-scripts.ts')).bashScript(completionSpec());
    case 'zsh':
      return (await import('./shell-scripts.ts')).zshScript(completionSpec());
    case 'fish':
      return (await import('./shell-scripts.ts')).fishScript(completionSpec());
  }
}
