import type {ConfigCommand} from './cli/config/commands.ts';
import {findPaths} from './persistence/paths.ts';
import {openSubcommandIo} from './subcommand-io.ts';
import {runConfigCommand} from './subcommands/config/run.ts';

/** `acp-tui config …` in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function configRun(command: ConfigCommand): Promise<number> {
  const io = openSubcommandIo();
  const {config, state} = findPaths();
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const exitCode = await runConfigCommand(command, {
    ...io,
    config,
    state,
    cwd: process.cwd(),
    env: process.env,
    edit: isTerminal ? editInTerminal : undefined,
  });
  return io.end(exitCode);
}

async function editInTerminal(file: string): Promise<string | undefined> {
  const {editFile} = await import('./external-editor.ts');
  return editFile(file);
}
