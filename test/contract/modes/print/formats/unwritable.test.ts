import {execFile} from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, describe, expect, onTestFinished, test} from 'vitest';
import {agentOption, PROGRAM, runHere, type ProgramResult} from '../../../../support/program/run-program.ts';

/*
 * Output that cannot be written: an error with a sentence and an exit code in every command, never a silent success. A limit
 * on the size of files simulates a disk with room for only a part.
 */

const folder = mkdtempSync(join(tmpdir(), 'acp-tui-unwritable-'));
const echo = agentOption('echo');

interface Place {
  /** Appended to the command: where its output goes. */
  readonly redirected?: string;
  /** The largest file that may be written, in KiB. */
  readonly largest?: number;
  /** The user's settings, instead of none. */
  readonly settings?: string;
}

/** Runs the built program through a shell, with its own state. */
function run(
  args: readonly string[],
  {redirected = '', largest, settings}: Place,
): Promise<ProgramResult & {readonly settings: string}> {
  const home = mkdtempSync(join(tmpdir(), 'acp-tui-home-'));
  onTestFinished(() => rmSync(home, {recursive: true, force: true, maxRetries: 5}));
  const settingsFile = join(home, 'config', 'config.json');
  if (settings !== undefined) {
    mkdirSync(join(home, 'config'));
    writeFileSync(settingsFile, settings);
  }
  // Blocks of `ulimit -f` have 1024 bytes in bash and 512 in a POSIX shell.
  const limit = largest === undefined ? '' : `ulimit -f ${largest}; `;
  const line = `${limit}exec "$0" "$@" </dev/null ${redirected}`;
  const env = {
    ...process.env,
    ACP_TUI_CONFIG_DIR: join(home, 'config'),
    ACP_TUI_STATE_DIR: join(home, 'state'),
    ACP_TUI_DATA_DIR: join(home, 'data'),
    ACP_TUI_CACHE_DIR: join(home, 'cache'),
  };
  return new Promise((resolve) => {
    const child = execFile(
      'bash',
      ['-c', line, process.execPath, PROGRAM, ...args],
      {cwd: folder, env},
      (_error, stdout, stderr) => {
        const kept = existsSync(settingsFile) ? readFileSync(settingsFile, 'utf8') : '';
        resolve({exitCode: child.exitCode, stdout, stderr, settings: kept});
      },
    );
  });
}

afterAll(() => rmSync(folder, {recursive: true, force: true, maxRetries: 5}));

const COMMANDS: readonly (readonly string[])[] = [
  ['-p', 'x', echo],
  ['-p', 'x', echo, '--output-format', 'json'],
  ['-p', 'x', echo, '--output-format', 'stream-json'],
  ['-p', 'x', echo, '--output-format', 'acp'],
  ['-p', 'x', echo, '--output-format', 'quiet'],
  ['--help'],
  ['sessions', 'list', '--json'],
  ['config', 'list', '--json'],
  ['config', 'get', 'theme'],
  ['completion', 'bash'],
  ['agents', 'list', '--json'],
  ['doctor', '--json', '--no-prompt', 'demo'],
  ['inspect', join(import.meta.dirname, '../../../../../fixtures/wire/gemini-run.ndjson')],
];

const FULL = 'acp-tui: Cannot write standard output. The disk is full.\n';

describe.runIf(process.platform === 'linux')('a full disk', () => {
  test.each(COMMANDS.map((args) => [args.slice(0, 5).join(' ').replace(echo, ''), args] as const))(
    'is an error for %s',
    async (_name, args) => {
      const stdoutFd = openSync('/dev/full', 'w');
      onTestFinished(() => closeSync(stdoutFd));
      const {exitCode, stdout, stderr} = await runHere(args, {stdoutFd});
      expect(stderr).toContain(FULL);
      expect(stderr).not.toMatch(/^\s+at |node:internal/m);
      expect([exitCode, stdout]).toEqual([1, '']);
    },
  );

  test.each([
    ['-p x', ['-p', 'x', echo]],
    ['--version', ['--version']],
  ])('is an error for %s of the built program', async (_name, args) => {
    expect(await run(args, {redirected: '>/dev/full'})).toMatchObject({exitCode: 1, stderr: FULL});
  });

  test('under standard error does not affect the answer', async () => {
    expect(await run(['-p', 'hello', echo], {redirected: '2>/dev/full'})).toMatchObject({
      exitCode: 0,
      stdout: 'hello\n',
    });
  });
});

describe.runIf(process.platform === 'linux')('a disk that fills up', () => {
  const long = 'x'.repeat(6000);

  test('is an error for an answer written to a file', async () => {
    const {exitCode, stderr} = await run(['-p', '--no-save', long, echo], {
      redirected: '>part.txt',
      largest: 4,
    });
    expect(stderr).toBe('acp-tui: Cannot write standard output. The file size limit is reached.\n');
    expect(exitCode).toBe(1);
  });

  test('is an error for --record, and the answer is printed', async () => {
    const {exitCode, stdout, stderr} = await run(['-p', '--no-save', long, echo, '--record', 'wire.ndjson'], {
      largest: 4,
    });
    expect(stdout).toBe(`${long}\n`);
    expect(stderr).toBe('acp-tui: Cannot write "wire.ndjson". The file size limit is reached.\n');
    expect(exitCode).toBe(1);
  });

  test('is an error for --record of the doctor, and the report is printed', async () => {
    const {exitCode, stdout, stderr} = await run(['doctor', '--json', echo, '--record', 'wire.ndjson'], {
      largest: 1,
    });
    expect(JSON.parse(stdout)).toMatchObject({exitCode: 0});
    expect(stderr).toContain('acp-tui: Cannot write "wire.ndjson". The file size limit is reached.\n');
    expect(exitCode).toBe(1);
  });

  test('is an error for --output, which keeps its old content', async () => {
    writeFileSync(join(folder, 'answer.md'), 'before\n');
    const {exitCode, stderr} = await run(['-p', '--no-save', long, echo, '-o', 'answer.md'], {largest: 4});
    expect(stderr).toContain('answer.md');
    expect(exitCode).toBe(1);
    expect(readFileSync(join(folder, 'answer.md'), 'utf8')).toBe('before\n');
  });

  test('is an error for config set, and the settings stay whole', async () => {
    const before = JSON.stringify({agents: {mine: {command: 'mine', args: [long]}}});
    const ended = await run(['config', 'set', 'theme', 'light'], {largest: 4, settings: before});
    expect(ended).toMatchObject({exitCode: 1, settings: before});
    expect(ended.stderr).toContain('The file size limit is reached.');
  });

  // Why acp-tui writes the file itself: should conf lose nothing any more, it can write it, too.
  test('makes conf lose settings', async () => {
    const settings = join(folder, 'of-conf');
    mkdirSync(settings);
    writeFileSync(join(settings, 'config.json'), JSON.stringify({long}));
    const source = `new (await import(${JSON.stringify(import.meta.resolve('conf'))})).default({cwd: ${JSON.stringify(settings)}}).set('theme', 'light')`;
    const line = 'ulimit -f 4; exec "$0" --input-type=module -e "$1"';
    await promisify(execFile)('bash', ['-c', line, process.execPath, source]);
    expect(readFileSync(join(settings, 'config.json'), 'utf8')).toHaveLength(4096);
  });
});
