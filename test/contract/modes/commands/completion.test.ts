import {execFile} from 'node:child_process';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {PROGRAM} from '../../../support/driver/lend-process.ts';
import {programOnPath} from '../../../../src/shared/processes/executable.ts';
import {completionScript} from '../../../../src/modes/commands/completion/shell-scripts.ts';
import {quoteWords} from '../../../../src/text/shell-quote.ts';
import {runHere} from '../../../support/program/run-program.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {storeWith} from './stored.ts';

const run = promisify(execFile);

/** A folder in which `acp-tui` is the built program, with its own agent and settings. */
function place() {
  const folder = temporaryFolder();
  const [bin, config] = [join(folder, 'bin'), join(folder, 'config')];
  const installed = join(folder, 'data/agents/tool/1.2.3');
  for (const made of [bin, config, installed, join(folder, 'a folder')]) mkdirSync(made, {recursive: true});
  const start = {command: 'tool', args: [], env: {}};
  const manifest = {
    v: 1,
    id: 'tool',
    name: 'Tool',
    version: '1.2.3',
    kind: 'uvx',
    installedAt: 1,
    from: 'tool',
    start,
  };
  writeFileSync(join(installed, 'installed.json'), JSON.stringify(manifest));
  const shim = join(bin, 'acp-tui');
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(shim, 0o755);
  const settings = {
    agents: {mine: {command: 'x'}, 'your.own': {command: 'y'}},
    mcpServers: {'a\u001b[2Jb\tc': {command: 'x'}},
  };
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

/** The lines for the last of these words. */
async function linesFor(line: string, env = place().env): Promise<readonly string[]> {
  const words = line.split(' ');
  const ran = await runHere(['completion', '--words', '--', ...words], {input: '', env});
  expect(ran).toMatchObject({exitCode: 0, stderr: ''});
  return ran.stdout.split('\n').slice(0, -1);
}

const LEVELS = ['none', 'reads', 'edits', 'all'];
const AGENTS = expect.arrayContaining(['demo', 'mine', 'your.own', 'tool']) as readonly string[];

test.each<[string, unknown]>([
  ['se', expect.arrayContaining(['sessions', 'inspect', 'replay', 'completion'])],
  ['config ', ['list', 'get', 'set', 'unset', 'edit', 'path']],
  ['sessions ', expect.arrayContaining(['export', 'show', 'logs'])],
  ['-p se', []],
  ['-', expect.arrayContaining(['--agent', '--mcp-config', '--no-fs', '--version', '--help'])],
  ['completion -', ['--help']],
  ['sessions list --j', expect.arrayContaining(['--json'])],
  ['--approve ', LEVELS],
  ['agents add --approve ', LEVELS],
  ['--approve =', LEVELS],
  ['--approve = r', LEVELS],
  ['--approve=r', LEVELS.map((level) => `--approve=${level}`)],
  ['-p --output-format s', ['text', 'json', 'stream-json', 'acp', 'quiet']],
  ['--include ', ['thoughts', 'tools', 'plan', 'usage']],
  ['--theme ', expect.arrayContaining(['dark', 'light'])],
  ['sessions export --format ', expect.arrayContaining(['html'])],
  ['-a mi', AGENTS],
  ['doctor de', AGENTS],
  ['agents remove ', ['mine', 'your.own']],
  ['agents uninstall ', ['tool']],
  ['config set sessions.k', expect.arrayContaining(['sessions.keepDays', 'agents.mine.command'])],
  ['config list x', []],
  ['-C a', [':folders']],
  ['doctor --cwd a', [':folders']],
  ['--mcp-config ', [':files']],
  ['--file ', [':files']],
  ['replay ', [':files']],
  ['--mode ', []],
  ['--continue ', []],
  ['completion f', ['bash', 'zsh', 'fish']],
])('%j is completed with %j', async (line, expected) => {
  const lines = await linesFor(line);
  expect(lines.map((each) => each.split('\t', 1)[0])).toEqual(expected);
});

test('sessions are those that are stored', async () => {
  const {env} = place();
  const {ids} = storeWith(env.ACP_TUI_STATE_DIR, {said: [['what is it?', 'x']]});
  for (const line of [
    '--resume ',
    'sessions show ',
    'sessions logs ',
    'service stop ',
    'attach ',
    'review --session ',
  ])
    expect(await linesFor(line, env)).toEqual([`${ids[0]}\twhat is it?`]);
});

test('a line is a name and its description, without control characters', async () => {
  const lines = await linesFor('config get ');
  expect(lines).toContain('theme\tsetting');
  for (const line of lines) {
    expect(line.split('\t')).toHaveLength(2);
    expect(line).not.toContain('\u001b');
  }
});

/** The completions of bash for these words, the last of which is being typed. */
async function inBash(...words: readonly string[]): Promise<readonly string[]> {
  const {folder, env} = place();
  const code = `${scripts.bash}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _acp_tui acp-tui; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const {stdout} = await run('bash', ['--norc', '-c', code, 'bash', ...words], {cwd: folder, env});
  return stdout.split('\n').filter(Boolean);
}

test.each([
  [['acp-tui', 'ses'], ['sessions']],
  [['acp-tui', '--approve', '=', 'r'], ['reads']],
  [['acp-tui', '--approve', '='], LEVELS],
  [['acp-tui', '-C', 'a'], ['a folder']],
  [['acp-tui', '--mcp-config', ''], []],
  [['acp-tui', 'config', 'get', 'agents."y'], [String.raw`agents.\"your.own\".command`]],
])('bash completes %j with %j', async (words, completions) => {
  expect(await inBash(...words)).toEqual(completions);
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

test.skipIf(!here.includes('fish')).each([
  ['acp-tui -f "a f', ['a file.txt', 'a folder/']],
  [String.raw`acp-tui -f a\ f`, ['a file.txt', 'a folder/']],
  ['acp-tui --file="a f', ['--file=a file.txt', '--file=a folder/']],
  ['acp-tui -f ~/a', ['~/a file.txt', '~/a folder/']],
  ['acp-tui -C "a f', ['a folder/']],
])('fish completes %j with %j', async (line, completions) => {
  const {folder, env} = place();
  writeFileSync(join(folder, 'a file.txt'), '');
  const code = `${scripts.fish}\ncomplete -C ${quoteWords([line])}`;
  const {stdout} = await run('fish', ['-c', code], {cwd: folder, env});
  expect(stdout.split('\n').filter(Boolean)).toEqual(completions);
});

test.each(['bash', 'zsh', 'fish'] as const)('prints the script for %s', async (shell) => {
  expect(await runHere(['completion', shell])).toEqual({exitCode: 0, stdout: scripts[shell], stderr: ''});
});

test.each([['tcsh'], []])('lists the supported shells when the shell is unknown: %s', async (...given) => {
  expect(await runHere(['completion', ...given])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('bash, zsh or fish'),
  });
});
