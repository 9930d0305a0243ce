import {chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {openChat, READY, runCommand, untilTurnsEnd, selectHighlighted} from '../../../support/driver/chat.ts';
import {endProcesses} from '../../../support/driver/processes.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {trappedRepository} from '../../../support/folders/trapped-repository.ts';
import {runHere, runProgram} from '../../../support/program/run-program.ts';
import {quoteWords} from '../../../../src/text/shell-quote.ts';
import {ask} from '../../conversation/steps.ts';
import {hasNoSandbox} from '../sandboxes.ts';
import {BY} from './agents.ts';
import {attachWindow, environmentOf, type By, type Where} from './place.ts';
import {PROGRAMS, type Program} from './programs.ts';

const CUSTOM = '`` !`command` `` in a custom command';

/** A home with a workspace full of traps, and programs that leave marks: one in a folder that a sandbox lets them write, and one outside if they can. */
function aHomeOfPrograms() {
  const home = realpathSync(temporaryFolder());
  const [cwd, config] = [join(home, 'project'), join(home, '.config/acp-tui')];
  const [marks, elsewhere, traps] = [join(home, 'marks'), join(home, 'elsewhere'), join(home, 'traps')];
  const [own, theirs] = [join(home, 'bin'), join(cwd, 'bin')];
  for (const folder of [config, marks, elsewhere, own, theirs, join(config, 'commands')])
    mkdirSync(folder, {recursive: true});
  const program = (file: string, script: string) => {
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const nameOf = (row: Program) => row.replaceAll(/\W+/g, '-');
  // Outside first: who sees the other mark alone is right that it could not.
  const leave = (row: Program) =>
    `echo x 2>/dev/null >> ${elsewhere}/${nameOf(row)}; echo x >> ${marks}/${nameOf(row)}`;
  const where = (row: Program): Where => {
    if (existsSync(join(elsewhere, nameOf(row)))) return 'outside';
    return existsSync(join(marks, nameOf(row))) ? 'inside' : 'not started';
  };
  const clear = () =>
    [marks, elsewhere].forEach((folder) => readdirSync(folder).forEach((name) => rmSync(join(folder, name))));
  const {sprung} = trappedRepository(cwd, traps);
  // One of the workspace, where a PATH begins with it.
  program(join(theirs, 'wl-paste'), `echo x >> ${traps}/wl-paste; exec ${own}/wl-paste`);
  return {home, cwd, config, marks, own, theirs, program, leave, where, clear, sprung};
}

const MCP = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': {name: 'spy', version: '1'},
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Home = ReturnType<typeof aHomeOfPrograms>;

/** An agent whose sign-in is a program, and which runs a command and uses an MCP server in each turn. */
function agentOf({home, leave}: Home): string {
  const signIn = {id: 'program', name: 'By program', type: 'terminal', args: ['sign-in']};
  const command = {sessionId: '$session', command: 'sh', args: ['-c', leave('a command of the agent')]};
  const script: Script = {
    initialize: {
      agentInfo: {name: 'Spy', version: '1.0.0'},
      agentCapabilities: {loadSession: true, mcpCapabilities: {acp: true}},
      authMethods: [signIn],
    },
    turns: [
      [
        ...ask(
          'mcp/message',
          {serverId: '$server.serverId', requestId: 'one', method: 'tools/list', params: {_meta: MCP}},
          'tools',
        ),
        ...ask('terminal/create', command, 'run'),
        ...ask('terminal/wait_for_exit', {terminalId: '$run.terminalId'}, 'exit'),
      ],
    ],
  };
  const node = quoteWords([process.execPath, FAKE_AGENT, 'script', JSON.stringify(script)]);
  const file = join(home, 'agent.sh');
  writeFileSync(file, `[ "$1" = sign-in ] && { ${leave('a sign-in program')}; exit; }\nexec ${node}`);
  return quoteWords(['sh', file]);
}

/** Opens a window and has it start each program; returns where each was, and what of the workspace ran. */
async function startAll({settings, ofAgent, option, isStored}: By) {
  const at = aHomeOfPrograms();
  const {home, cwd, config, marks, own, theirs, program, leave, where, clear, sprung} = at;
  const hook = (row: Program) => [{hooks: [{type: 'command', command: leave(row)}]}];
  writeFileSync(
    join(config, 'config.json'),
    JSON.stringify({
      approve: 'all',
      ...settings,
      agents: {spy: {command: agentOf(at), sandboxFolders: [marks], ...ofAgent}},
      hooks: {Stop: hook('a hook'), Notification: hook('your own `Notification` hook')},
      mcpServers: {probe: {command: 'sh', args: ['-c', leave('an MCP server')]}},
      worktrees: {setup: leave('the set-up command of a worktree')},
      statusCommand: `${leave('the status command')}; echo line`,
    }),
  );
  writeFileSync(join(config, 'commands/probe.md'), `Probe !\`${leave(CUSTOM)}\``);
  const git = execFileSync('which', ['git'], {encoding: 'utf8'}).trim();
  program(join(own, 'git'), `${leave("acp-tui's own git")}; exec ${git} "$@"`);
  program(join(own, 'wl-paste'), leave('programs of the clipboard'));
  const env = {
    PATH: [cwd, theirs, own, process.env['PATH']].join(':'),
    VISUAL: program(join(own, 'editor'), leave('your editor')),
    WAYLAND_DISPLAY: 'none',
  };
  if (isStored) {
    await runHere(['-p', '--sandbox', '--agent', 'spy', 'go'], {cwd, env: {...environmentOf(home), ...env}});
    clear();
  }
  const args = [...(isStored ? ['-c'] : ['--agent', 'spy']), ...(option ? [option] : [])];
  const options = {home, cwd, env, args};
  const chat = openChat({...options, columns: 100, snapshots: true});
  async function untilRun(row: Program): Promise<void> {
    await expect.poll(() => where(row), {message: row}).not.toBe('not started');
  }
  await chat.sees(READY);
  await untilRun('the status command');
  chat.type(`!${leave('`!`')}\r`);
  await untilRun('`!`');
  await runCommand(chat, '/probe');
  await untilTurnsEnd(chat);
  for (const row of [CUSTOM, 'an MCP server', 'a command of the agent', 'a hook'] as const)
    await untilRun(row);
  chat.press('ctrl+g');
  await untilRun('your editor');
  await chat.sees(READY);
  chat.press('ctrl+v');
  await untilRun('programs of the clipboard');
  chat.type(`/compare --check "${leave('the check of a comparison')}" spy,demo go\r`);
  await untilRun('the check of a comparison');
  await chat.sees('What the agents did');
  chat.press('escape');
  await expect.poll(() => chat.screen()).not.toContain('What the agents did');
  await runCommand(chat, '/new --worktree');
  await untilRun('the set-up command of a worktree');
  await chat.sees('This session works in the worktree');
  await chat.sees(READY);
  // While the terminal is not focused, the user is notified that the agent has stopped.
  chat.type('\u{1b}[O');
  endProcesses(home);
  await untilRun('your own `Notification` hook');
  chat.type('\u{1b}[I');
  await selectHighlighted(chat, '❯ Restart the agent');
  await chat.sees(READY);
  await runCommand(chat, '/login');
  await chat.sees(/❯ .*By program/);
  chat.press('enter');
  await untilRun('a sign-in program');
  return {programs: (Object.keys(PROGRAMS) as Program[]).map((row) => [row, where(row)]), sprung: sprung()};
}

describe.skipIf(hasNoSandbox)('every other program', () => {
  const confining = ['`--sandbox`', 'the setting', "the agent's setting", 'the stored session'] as const;

  test.each(confining)(
    'is where the table says, confined by %s, and nothing of the workspace runs outside',
    async (cause) => {
      const {programs, sprung} = await startAll(BY[cause]);
      expect(Object.fromEntries(programs)).toEqual(
        Object.fromEntries(Object.entries(PROGRAMS).map(([row, {where}]) => [row, where])),
      );
      expect(sprung).toEqual([]);
    },
  );

  test('is none of the workspace in a window on a confined session of the service, either', async () => {
    const at = aHomeOfPrograms();
    const {home, cwd, config, marks, own, theirs, program, leave, where, sprung} = at;
    const agents = {spy: {command: agentOf(at), sandboxFolders: [marks]}};
    writeFileSync(join(config, 'config.json'), JSON.stringify({agents}));
    program(join(own, 'wl-paste'), leave('programs of the clipboard'));
    const env = environmentOf(home);
    const run = (...args: string[]) => runProgram(args, {cwd, env, input: ''});
    onTestFinished(async () => void (await run('service', 'stop')));
    await run('-b', '--sandbox', '--approve', 'all', '--agent', 'spy', 'go');
    const PATH = [theirs, own, process.env['PATH']].join(':');
    const chat = await attachWindow({home, cwd}, {PATH, WAYLAND_DISPLAY: 'none'});
    chat.press('ctrl+v');
    await expect.poll(() => where('programs of the clipboard')).toBe('outside');
    expect(sprung()).toEqual([]);
    // Whoever looks for it on that PATH runs the one of the workspace.
    execFileSync('sh', ['-c', 'wl-paste'], {cwd, env: {...env, PATH}});
    expect(sprung()).toEqual(['wl-paste']);
  });

  test('is outside without a sandbox', async () => {
    const {programs} = await startAll(BY.nothing);
    expect(new Set(programs.map(([, where]) => where))).toEqual(new Set(['outside']));
  });
});
