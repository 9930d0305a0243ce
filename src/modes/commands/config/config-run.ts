import {findPaths} from '../../../shared/files/paths.ts';
import {settingsFile, readSettings, createSettingsFile} from '../../../settings/settings.ts';
import {problemTexts} from '../../../settings/setting-problems.ts';
import {openSubcommandIo, printFailure} from '../../../cli/terminal-io.ts';
import type {ConfigCommand} from './config-arguments.ts';
import {changeSettingAt, type ConfigContext, getSetting, listSettings} from './config-values.ts';

/** Runs `acp-tui config …` in this process; resolves to the exit code. Loads neither React nor Ink. */
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
  const {editFile} = await import('../../window/external-editor.ts');
  return editFile({file});
}

/** Runs the parsed command; resolves to the exit code. */
export async function runConfigCommand(command: ConfigCommand, context: ConfigContext): Promise<number> {
  switch (command.kind) {
    case 'list':
      return listSettings(command, context);
    case 'get':
      return getSetting(command, context);
    case 'set':
    case 'unset':
      return changeSettingAt(command, context);
    case 'edit':
      return editSettings(context);
    case 'path':
      context.stdout.write(`${settingsFile(context.config)}\n`);
      return 0;
  }
}

/** Opens the file in the editor and then reports invalid settings, with exit code 1. */
async function editSettings({config, stderr, warn, edit}: ConfigContext): Promise<number> {
  if (!edit) return printFailure(stderr, 'Editing needs a terminal; use "acp-tui config set" instead.', 2);
  const created = createSettingsFile(config);
  if (!created.ok) return printFailure(stderr, created.failure, 2);
  const problem = await edit(settingsFile(config));
  if (problem !== undefined) return printFailure(stderr, problem);
  const {problems} = readSettings(config, {});
  for (const problem of problemTexts(problems)) warn(problem);
  return problems.length === 0 ? 0 : 1;
}
