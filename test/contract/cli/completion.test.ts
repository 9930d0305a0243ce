import {execFile} from 'node:child_process';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {programOnPath} from '../../../src/agents/programs.ts';
import {completionScript} from '../../../src/cli/completion/shell-scripts.ts';
import {runHere} from '../../support/program/run-program.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

const program = fileURLToPath(new URL('../../../bin/acp-tui.js', import.meta.url));
const run = promisify(execFile);

/** A folder in which `acp-tui` is the built program, with its own agent and settings. */
function place() {
  const folder = temporaryFolder();
  const [bin, config] = [join(folder, 'bin'), join(folder, 'config')];
  for (const made of [bin, config, join(folder, 'a folder')]) mkdirSync(made);
  const shim = join(bin, 'acp-tui');
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(shim, 0o755);
  const settings = {agents: {mine: {command: 'x'}, 'your.own': {command: 'y'}}, keys: {undo: 'ctrl+z'}};
  writeFileSync(join(config, 'config.json'), JSON.stringify(settings));
  const env = {
    PATH: [bin, process.env['PATH']].join(delimiter),
    HOME: folder,
    ACP_TUI_CONFIG_DIR: config,
    ACP_TUI_STATE_DIR: join(folder, 'state'),
    ACP_TUI_DATA_DIR: join(folder, 'data'),
  };
  return {folder, env};
}

const scripts = {
  bash: completionScript('bash'),
  zsh: completionScript('zsh'),
  fish: completionScript('fish'),
};

/** The completions of bash for these words, the last of which is being typed. */
async function inBash(...words: readonly string[]): Promise<readonly string[]> {
  const {folder, env} = place();
  const code = `${scripts.bash}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _acp_tui acp-tui; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const {stdout} = await run('bash', ['--norc', '-c', code, 'bash', ...words], {cwd: folder, env});
  return stdout.split('\n').filter(Boolean);
}

describe('bash', () => {
  test.each([
    [['acp-tui', 'ses'], ['sessions']],
    [['acp-tui', '--appr'], ['--approve']],
    [
      ['acp-tui', '--approve', ''],
      ['none', 'reads', 'edits', 'all'],
    ],
    [['acp-tui', '--approve', 'r'], ['reads']],
    [['acp-tui', '--approve', '=', 'r'], ['reads']],
    [
      ['acp-tui', '--approve', '='],
      ['none', 'reads', 'edits', 'all'],
    ],
    [['acp-tui', '-p', '--output-format', 's'], ['stream-json']],
    [['acp-tui', '-a', 'mi'], ['mine']],
    [['acp-tui', '--agent', 'your'], ['your.own']],
    [['acp-tui', '-C', 'a'], ['a folder']],
    [['acp-tui', '-C', 'b'], ['bin']],
    [['acp-tui', '--mode', ''], []],
    [['acp-tui', '--mcp-config', ''], []],
    [['acp-tui', '-p', 'se'], []],
    [['acp-tui', 'config', 's'], ['set']],
    [['acp-tui', 'config', 'set', 'sessions.k'], ['sessions.keepDays']],
    [['acp-tui', 'config', 'get', 'agents.m'], ['agents.mine.command']],
    [['acp-tui', 'sessions', 'export', '--format', 'h'], ['html']],
    [['acp-tui', 'sessions', 'list', '--j'], ['--json']],
    [['acp-tui', 'doctor', 'de'], ['demo']],
    [
      ['acp-tui', 'agents', 'remove', ''],
      ['mine', 'your.own'],
    ],
    [['acp-tui', 'agents', 'uninstall', ''], []],
    [['acp-tui', 'completion', 'f'], ['fish']],
  ])('completes %j with %j', async (words, offered) => {
    expect(await inBash(...words)).toEqual(offered);
  });

  test('quotes what it would otherwise interpret', async () => {
    expect(await inBash('acp-tui', 'config', 'get', 'agents."y')).toEqual([
      String.raw`agents.\"your.own\".command`,
    ]);
  });
});

/** Other shells are not installed everywhere; where they are, they must accept their scripts. */
const here = (['zsh', 'fish'] as const).filter(
  (shell) => programOnPath(shell, process.env['PATH']) !== undefined,
);

test.each(here)('%s loads its script without output', async (shell) => {
  const {folder, env} = place();
  const file = join(folder, 'script');
  writeFileSync(file, scripts[shell]);
  expect(await run(shell, ['-n', file], {cwd: folder, env})).toEqual({stdout: '', stderr: ''});
});

test.each(['bash', 'zsh', 'fish'] as const)('prints the script for %s', async (shell) => {
  expect(await runHere(['completion', shell])).toEqual({exitCode: 0, stdout: scripts[shell], stderr: ''});
  for (const text of ['sessions', 'mcp-config', 'stream-json', 'completion --list'])
    expect(scripts[shell]).toContain(text);
});

test('lists one sanitized line each, and nothing when nothing is stored', async () => {
  const config = temporaryFolder();
  const settings = {agents: {}, mcpServers: {'a\u001b[2Jb\tc': {command: 'x'}}};
  writeFileSync(join(config, 'config.json'), JSON.stringify(settings));
  const list = (what: string) =>
    runHere(['completion', '--list', what], {
      input: '',
      env: {ACP_TUI_CONFIG_DIR: config, ACP_TUI_STATE_DIR: join(config, 'state')},
    });
  expect(await list('sessions')).toEqual({exitCode: 0, stdout: '', stderr: ''});
  expect((await list('agents')).stdout).toMatch(/^demo\tthe built-in agent\n/);
  const {stdout} = await list('settings');
  expect(stdout).toContain('theme\tsetting\n');
  expect(stdout).not.toContain('\u001b');
  for (const line of stdout.trimEnd().split('\n')) expect(line.split('\t')).toHaveLength(2);
});

test.each([['tcsh'], []])('lists the supported shells when the shell is unknown: %s', async (...given) => {
  expect(await runHere(['completion', ...given])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('bash, zsh or fish'),
  });
});
