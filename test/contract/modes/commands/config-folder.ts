import {createOutputStyle} from '../../../../src/cli/output-style.ts';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {readConfigCommand} from '../../../../src/modes/commands/config/config-arguments.ts';
import type {ConfigContext} from '../../../../src/modes/commands/config/config-values.ts';
import {runConfigCommand} from '../../../../src/modes/commands/config/config-run.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/** Runs `acp-tui config` with these arguments, with its own folders and these settings. */
export function placeWith(settings?: object | string) {
  const [config, state, cwd] = [join(temporaryFolder(), 'new'), temporaryFolder(), temporaryFolder()];
  const file = join(config, 'config.json');
  if (settings !== undefined) {
    mkdirSync(config);
    writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
  }
  async function run(
    argv: readonly string[],
    given: Partial<ConfigContext> & {readonly columns?: number} = {},
  ) {
    const read = readConfigCommand(argv, 80);
    if (read.kind === 'message') return {exitCode: read.exitCode, stdout: '', stderr: read.text};
    const out = {stdout: '', stderr: ''};
    const exitCode = await runConfigCommand(read.command, {
      stdout: {
        write: (text) => (out.stdout += text),
        columns: given.columns,
        style: createOutputStyle({isTerminal: false}),
      },
      stderr: (text) => (out.stderr += text),
      warn: (sentence) => (out.stderr += `warning: ${sentence}\n`),
      config,
      state,
      cwd,
      env: {},
      edit: undefined,
      ...given,
    });
    return {exitCode, ...out};
  }
  return {
    run,
    file,
    cwd,
    state,
    config: (...argv: readonly string[]) => run(argv),
    content: () => JSON.parse(readFileSync(file, 'utf8')) as unknown,
  };
}

export const rowsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/\s{2,}/));
