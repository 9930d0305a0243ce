import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {exchangesOf} from '../../../../src/recording/exchanges.ts';
import {readRecording} from '../../../../src/recording/format.ts';
import {agentOption, runHere, startProgram} from '../../../support/program/run-program.ts';
import {silentBus} from '../../../support/servers/silent-bus.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const fake = (...scenario: readonly [string, ...string[]]) =>
  agentOption(...scenario).replace('--agent=', '');

/** The folders of examinations in this one. */
const leftIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('acp-tui-doctor-'));

describe('acp-tui doctor', () => {
  test('finds no fault in the demo agent', async () => {
    const folder = temporaryFolder();
    const {exitCode, stdout} = await runHere(['doctor', 'demo', '--prompt', '--json'], {
      input: '',
      env: {XDG_STATE_HOME: join(folder, 'state'), TMPDIR: folder},
    });
    const report = JSON.parse(stdout);
    expect(
      report.checks.map(
        ({id, advertised, result}: Record<string, string>) => `${id}: ${advertised}, ${result}`,
      ),
    ).toEqual([
      'launch: always, worked',
      'initialize: always, worked',
      'mcp: no, not_tried',
      'authenticate: yes, not_tried',
      'logout: yes, not_tried',
      'session/new: always, worked',
      'session/set_mode: yes, worked',
      'session/set_config_option: yes, worked',
      'session/prompt: always, worked',
      'streaming: always, worked',
      'prompt-content: yes, worked',
      'subagents: unspecified, not_tried',
      'session_info_update: unspecified, worked',
      'session/set_title: no, not_tried',
      'providers/list: no, not_tried',
      'session/list: yes, worked',
      'session/cancel: always, worked',
      'extensions: always, worked',
      'session/fork: no, not_tried',
      'system-prompt: no, not_tried',
      'session/close: yes, worked',
      'shut-down: unspecified, worked',
      'session/load: yes, worked',
      'session/resume: yes, worked',
      'session/archive: no, not_tried',
      'session/delete: no, not_tried',
      'negotiation: always, worked',
      'stdout: always, worked',
      'stderr: unspecified, worked',
    ]);
    expect(report).toMatchObject({
      v: 1,
      agent: {name: 'acp-tui-demo', protocolVersion: 1},
      violations: [],
      corrected: [],
      remarks: [],
      exitCode: 0,
    });
    expect(exitCode).toBe(0);
    expect(leftIn(folder)).toEqual([]);
  });

  test('prints findings for people, and progress to standard error', async () => {
    const {exitCode, stdout, stderr} = await runHere(['doctor', fake('breaks', 'relative-path'), '--yes']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^a prompt +always +yes +\d+ ms +end_turn$/m);
    expect(stdout).toContain('the path "src/a.ts" is not absolute');
    expect(stdout).toContain('https://agentclientprotocol.com/protocol/v1/overview#argument-requirements');
    expect(stdout).toContain('"locations":[{"path":"src/a.ts"}]');
    expect(stdout).toContain('The agent violates the protocol.');
    expect(stderr).toContain('acp-tui: a prompt …');
  });

  test('without an agent checks the one of the settings and this installation', async () => {
    const folder = temporaryFolder();
    const env = {ACP_TUI_AGENT: fake('breaks', 'nothing'), ACP_TUI_STATE_DIR: join(folder, 'state')};
    const {exitCode, stdout} = await runHere(['doctor', '--json'], {env});
    const {installation, agent} = JSON.parse(stdout);
    expect(exitCode).toBe(0);
    expect(agent.args).toContain('breaks');
    const reported = Object.fromEntries(
      installation.map(({id, value}: Record<string, string>) => [id, value]),
    );
    expect(reported).toMatchObject({
      node: expect.stringContaining(process.version),
      database: 'none yet',
      settings: 'none',
    });
    expect(readdirSync(folder)).not.toContain('acp-tui.sqlite');
  });

  test('keeps a recording, with credentials masked as in the report', async () => {
    const file = join(temporaryFolder(), 'wire.ndjson');
    const {stdout} = await runHere([
      'doctor',
      fake('breaks', 'nothing'),
      '--json',
      '--record',
      file,
      '--env',
      'MY_TOKEN=hush-hush-hush',
    ]);
    const {lines} = readRecording(readFileSync(file, 'utf8'));
    expect(exchangesOf(lines).map(({method}) => method)).toContain('session/new');
    expect(stdout + readFileSync(file, 'utf8')).not.toContain('hush-hush-hush');
  });

  test('stops at Ctrl+C with the findings so far and leaves nothing behind', async () => {
    const folder = temporaryFolder();
    const args = ['doctor', fake('breaks', 'ignores-cancel'), '--yes', '--json'];
    const program = startProgram(args, {env: {TMPDIR: folder}});
    const begun = Promise.withResolvers<void>();
    program.child.stderr.on('data', () => program.stderr().includes('cancelling') && begun.resolve());
    await begun.promise;
    program.child.kill('SIGINT');
    expect(await program.ended).toMatchObject({exitCode: 130});
    expect(JSON.parse(program.stdout())).toMatchObject({interrupted: true, exitCode: 130});
    expect(leftIn(folder)).toEqual([]);
  });

  test.runIf(process.platform === 'linux').each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends at %s while a session bus accepts, and never answers', async (signal, exitCode) => {
    const {bus, connected} = await silentBus();
    const program = startProgram(['doctor', '--json'], {
      env: {
        ACP_TUI_AGENT: fake('breaks', 'nothing'),
        ACP_TUI_STATE_DIR: temporaryFolder(),
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}`,
      },
    });
    await connected;
    program.child.kill(signal);
    expect(await program.ended).toMatchObject({exitCode});
  });

  test.each([
    [['--timeout', 'soon'], /--timeout must be a number/],
    [['--no-mask'], /--no-mask requires --record/],
    [['demo', 'again'], /too many arguments/i],
    [['--cwd', '/nowhere/at/all', 'demo'], /No such folder/],
    [['a && b'], /needs a shell/],
  ])('with %j is wrong usage', async (args, message) => {
    const {exitCode, stdout, stderr} = await runHere(['doctor', ...args]);
    expect({exitCode, stdout}).toEqual({exitCode: 2, stdout: ''});
    expect(stderr).toMatch(message);
  });
});
