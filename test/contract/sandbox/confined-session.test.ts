import {existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {launchAgent} from '../../../src/agents/launch.ts';
import {createRelay} from '../../../src/mcp/relay.ts';
import type {AgentFolders} from '../../../src/conversation/options.ts';
import type {Hook} from '../../../src/session/settings/hooks.ts';
import type {PendingPermission} from '../../../src/session/state.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {agentOption, runHere, runProgram} from '../../support/program/run-program.ts';
import {noPermissions} from '../conversation/conversation-defaults.ts';
import {idle, makeConversation, openScripted} from '../conversation/open-conversation.ts';
import {ask} from '../conversation/steps.ts';
import {aHome, aPolicy, aSandbox, hasNoSandbox} from './sandboxes.ts';

afterEach(() => void vi.unstubAllEnvs());

const settings = {network: 'ask', networkHosts: [], sandboxSockets: 'none', sandboxFolders: []} as const;

/** Runs a command for the agent and waits until it has ended. */
const command = (script: string) => [
  {
    ask: 'run',
    method: 'terminal/create',
    params: {sessionId: '$session', command: 'sh', args: ['-c', script]},
  },
  {answered: 'run'},
  ...ask('terminal/wait_for_exit', {terminalId: '$run.terminalId'}, 'exit'),
  ...ask('terminal/output', {terminalId: '$run.terminalId'}, 'output'),
];

describe.skipIf(hasNoSandbox)('in a sandboxed session', () => {
  test("an agent's commands are confined, and the user's own are not", async () => {
    const outside = temporaryFolder();
    vi.stubEnv('GITHUB_TOKEN', 'a-secret');
    const write = (name: string) => `echo "token: $GITHUB_TOKEN"; echo x > ${outside}/${name}`;
    const opened = await openScripted(
      {turns: [command(write('agent'))]},
      {approval: 'all', sandbox: settings},
    );
    opened.prompt('go');
    const {result} = await opened.answerTo('output');
    expect(result).toMatchObject({output: expect.stringContaining('token: \n')});
    expect(existsSync(join(outside, 'agent'))).toBe(false);
    await opened.until(idle, 'the end of the turn');
    await opened.conversation.runShell(write('user'));
    await expect.poll(() => existsSync(join(outside, 'user'))).toBe(true);
  });

  test('a folder that the user adds can be written after a restart, and one that is none is refused', async () => {
    const {home} = aHome();
    const write = command(`echo x > ${join(home, 'more')}`);
    const {conversation, prompt, until, state} = await openScripted(
      {turns: [write], initialize: {agentCapabilities: {loadSession: true}}},
      {approval: 'all', sandbox: settings},
    );
    const turn = async () => {
      const before = state().lastTurn?.turn ?? 0;
      prompt('go');
      await until((now) => idle(now) && (now.lastTurn?.turn ?? 0) > before, 'the end of the turn');
      return existsSync(join(home, 'more'));
    };
    expect(await conversation.addSandboxFolder(join(home, 'nothing'))).toMatchObject({ok: false});
    expect(await conversation.addSandboxFolder(home)).toEqual({ok: true, value: undefined});
    expect(await turn()).toBe(false);
    await conversation.restart();
    expect(state().sandbox?.writable).toContain(`${home}/`);
    expect(await turn()).toBe(true);
  });

  test("hooks are confined, except for the user's own notifications", async () => {
    const outside = temporaryFolder();
    const tries = (event: Hook['event'], source: Hook['source'], name: string): Hook => {
      const command = `echo x > ${join(outside, name)}; echo x > ${name}`;
      return {event, source, command, matcher: undefined, seconds: 30};
    };
    const hooks = [
      tries('Stop', 'user', 'stop'),
      tries('Notification', 'project', 'theirs'),
      tries('Notification', 'user', 'mine'),
    ];
    const {cwd, prompt, conversation, until} = await openScripted(
      {turns: [[]]},
      {sandbox: settings, permissions: {...noPermissions, hooks: () => hooks}},
    );
    prompt('go');
    await until(idle, 'the end of the turn');
    conversation.notified('done');
    for (const name of ['stop', 'theirs', 'mine'])
      await expect.poll(() => existsSync(join(cwd, name)), {message: name}).toBe(true);
    expect(readdirSync(outside)).toEqual(['mine']);
  });

  test('the status command is confined, and waits for the sandbox of its agent', async () => {
    const outside = temporaryFolder();
    const command = `cat > facts; echo x 2>/dev/null > ${join(outside, 'status')}; echo line`;
    const {conversation, cwd} = makeConversation(['script', '{}'], {sandbox: settings});
    expect(await conversation.runStatusCommand(command, 'given')).toEqual({ok: true, value: undefined});
    await conversation.open();
    expect(await conversation.runStatusCommand(command, 'given')).toEqual({ok: true, value: {text: 'line'}});
    expect(readFileSync(join(cwd, 'facts'), 'utf8')).toBe('given');
    expect(readdirSync(outside)).toEqual([]);
  });

  test('the user is asked about a host, and can refuse it', async () => {
    const {prompt, until, conversation, answerTo} = await openScripted(
      {turns: [command('curl -sS http://10.9.8.7/; true')]},
      {approval: 'all', sandbox: settings},
    );
    prompt('go');
    const asking = await until(({pending}) => pending.length > 0, 'the question');
    expect(JSON.stringify(asking.pending)).toContain('Connect to 10.9.8.7:80');
    void conversation.answer(asking.pending[0]?.id ?? '', {kind: 'option', index: 2});
    const {result} = await answerTo('output');
    expect(result).toMatchObject({output: expect.stringContaining('blocked')});
  });

  test('a write that the sandbox refused is named at the tool call of the command', async () => {
    const content = [{type: 'terminal', terminalId: '$run.terminalId'}];
    const call = {toolCallId: 'call', title: 'Write', kind: 'execute', status: 'completed', content};
    const report = {sessionId: '$session', update: {sessionUpdate: 'tool_call', ...call}};
    const run = command('touch /usr/acp-tui-test');
    const {prompt, until} = await openScripted(
      {turns: [[...run, {send: {jsonrpc: '2.0', method: 'session/update', params: report}}]]},
      {approval: 'all', sandbox: settings},
    );
    prompt('go');
    const {entries} = await until(idle, 'the end of the turn');
    expect(entries.find(({type}) => type === 'tool_call')).toMatchObject({
      refusedWrites: ['/usr/acp-tui-test'],
    });
  });

  test('an agent does not get through acp-tui what its sandbox hides', async () => {
    const {root} = aHome();
    writeFileSync(join(root, '.env'), 'hush');
    writeFileSync(join(root, 'open'), 'seen');
    for (const name of ['data', 'folder', 'linked']) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'secret.txt'), 'hush');
    }
    symlinkSync('data/secret.txt', join(root, '.env.file'));
    symlinkSync('folder', join(root, '.env.folder'));
    symlinkSync(join(root, 'linked'), join(root, 'way'));
    symlinkSync('way/secret.txt', join(root, '.env.twice'));
    const path = (name: string) => ({sessionId: '$session', path: join(root, name)});
    const read = (name: string) => ask('fs/read_text_file', path(name), name);
    const hidden = ['data/secret.txt', 'folder/secret.txt', 'way/secret.txt', 'linked/secret.txt'];
    const write = ask('fs/write_text_file', {...path('data/secret.txt'), content: 'mine'}, 'write');
    const {prompt, answerTo} = await openScripted(
      {turns: [[...['.env', '.env.file', ...hidden, 'open'].flatMap(read), ...write]]},
      {approval: 'all', cwd: root, sandbox: {...settings, sandboxHidden: ['.env*']}},
    );
    prompt('go');
    await expect(answerTo('open')).resolves.toMatchObject({result: {content: 'seen'}});
    const refused = (by: string) => ({error: {message: expect.stringContaining(by)}});
    for (const name of ['.env', '.env.file'])
      await expect(answerTo(name)).resolves.toMatchObject(refused('rule: read .env* (sandbox)'));
    for (const name of [...hidden, 'write'])
      await expect(answerTo(name)).resolves.toMatchObject(refused('the sandbox, which hides it'));
    expect(readFileSync(join(root, 'data/secret.txt'), 'utf8')).toBe('hush');
  });

  test('a command file that is a link to what the sandbox hides is not used, and what it names is judged, too', async () => {
    const {root} = aHome();
    for (const name of ['.env', 'open']) writeFileSync(join(root, name), 'hush');
    const {conversation} = await openScripted(
      {turns: []},
      {cwd: root, sandbox: {...settings, sandboxHidden: ['.env']}},
    );
    const command = {name: 'it', description: '', from: 'Claude Code', prompt: 'hush'};
    const used = (target: string) =>
      conversation.expand({command: {...command, target}, argument: ''}, {trust: () => {}});
    await expect(used(join(root, '.env'))).resolves.toMatchObject({
      failure: {kind: 'not_offered', why: expect.stringContaining('which the sandbox hides')},
    });
    const expanded = await used(join(root, 'open'));
    if (!expanded.ok) throw new Error('it was not used');
    const {isReadable} = expanded.value;
    expect([join(root, '.env'), join(root, 'open'), '/proc/self/environ'].map(isReadable)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('its agent can put no program in the way of those that acp-tui runs outside, and gets no home folder', async () => {
    const {home, root} = aHome();
    vi.stubEnv('HOME', home);
    vi.stubEnv('PATH', `${root}/node_modules/.bin:${process.env['PATH']}`);
    const {conversation} = makeConversation(['script', '{}'], {cwd: root, sandbox: settings});
    await expect(conversation.open()).resolves.toMatchObject({ok: true});
    expect(process.env['PATH']).not.toContain(root);
    const {conversation: atHome} = makeConversation(['script', '{}'], {cwd: home, sandbox: settings});
    await expect(atHome.open()).resolves.toMatchObject({failure: {kind: 'sandbox', reason: 'folder'}});
  });

  test('an agent gets no workspace of keys, and no folder of its own that is a link to one or to the home folder', async () => {
    const {home, root} = aHome();
    vi.stubEnv('HOME', home);
    const keys = join(home, '.ssh');
    mkdirSync(keys);
    symlinkSync(keys, join(root, 'docs'));
    const opened = (folders: {readonly cwd?: string; readonly additionalDirectories?: readonly string[]}) =>
      makeConversation(['script', '{}'], {cwd: root, ...folders, sandbox: settings}).conversation.open();
    const refused = (detail: string) => ({failure: {kind: 'sandbox', reason: 'folder', detail}});
    await expect(opened({cwd: keys})).resolves.toMatchObject(refused(keys));
    await expect(opened({additionalDirectories: [keys]})).resolves.toMatchObject(refused(keys));
    const link = join(root, 'docs');
    await expect(opened({additionalDirectories: [link]})).resolves.toMatchObject(refused(keys));
    for (const [name, leadsTo] of [
      ['to-home', home],
      ['to-keys', keys],
    ] as const) {
      const outside = join(home, '..', name);
      symlinkSync(leadsTo, outside);
      const sandbox = {...settings, sandboxFolders: [outside]};
      const {conversation} = makeConversation(['script', '{}'], {cwd: root, sandbox});
      await expect(conversation.open()).resolves.toMatchObject(refused(`${outside}/`));
    }
    const named = {...settings, sandboxFolders: [keys]};
    await expect(
      makeConversation(['script', '{}'], {cwd: keys, sandbox: named}).conversation.open(),
    ).resolves.toMatchObject({ok: true});
  });

  test('an agent is not started if it is not known where it keeps its state, or runs elsewhere', async () => {
    const {sandboxFolders: _, ...unsaid} = settings;
    const {conversation} = makeConversation(['script', '{}'], {
      sandbox: unsaid,
      hasUser: false,
    });
    await expect(conversation.open()).resolves.toMatchObject({
      failure: {kind: 'sandbox', reason: 'unknown_agent'},
    });
    const agent = {
      label: 'far',
      command: 'https://far.example',
      args: [],
      env: {},
      remote: {url: 'https://far.example', headers: {}} as never,
    };
    const far = makeConversation(['script', '{}'], {sandbox: settings, agent});
    await expect(far.conversation.open()).resolves.toMatchObject({
      failure: {kind: 'sandbox', reason: 'remote'},
    });
  });
});

describe.skipIf(hasNoSandbox)('where an unknown agent keeps its state', () => {
  const {sandboxFolders: _, ...unsaid} = settings;

  test.each([
    ['It keeps nothing: only the workspace', {ok: true}],
    ['Do not start it', {failure: {kind: 'sandbox', reason: 'unknown_agent'}}],
  ])('is a question: %s', async (choice, expected) => {
    const agentFolders = {of: () => undefined, save: vi.fn<AgentFolders['save']>()};
    const {conversation, until, state} = makeConversation(['script', '{}'], {sandbox: unsaid, agentFolders});
    const opening = conversation.open();
    const {pending} = await until((now) => now.pending.length > 0, 'the question');
    const [asked] = pending as readonly PendingPermission[];
    const index = asked?.options.findIndex(({name}) => name === choice) ?? -1;
    void conversation.answer(asked?.id ?? '', {kind: 'option', index});
    await expect(opening).resolves.toMatchObject(expected);
    expect(agentFolders.save).not.toHaveBeenCalled();
    expect(state().sandbox?.writable).toEqual('ok' in expected ? [state().cwd] : undefined);
    if (!('ok' in expected)) return;
    await expect(conversation.restart()).resolves.toMatchObject({ok: true});
  });
});

describe.skipIf(hasNoSandbox)('an agent in a sandbox', () => {
  test('gets what its settings name, and no inherited secret', async () => {
    vi.stubEnv('GITHUB_TOKEN', 'a-secret');
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const script =
      'process.stdout.write(JSON.stringify([process.env.GITHUB_TOKEN, process.env.MY_TOKEN, process.cwd()]))';
    const env = {MY_TOKEN: 'mine'};
    const started = await launchAgent(
      {label: 'x', command: process.execPath, args: ['-e', script], env},
      {cwd: root, sandbox: async () => ({ok: true, value: sandbox})},
    );
    if (!started.ok) throw new Error(JSON.stringify(started.failure));
    let text = '';
    for await (const chunk of started.value.stdout) text += new TextDecoder().decode(chunk);
    expect(JSON.parse(text)).toEqual([null, 'mine', root]);
    await started.value.stop();
    expect(started.value.living()).toBe(0);
  });

  test('that does not exist is reported as without a sandbox', async () => {
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const agent = {label: 'x', command: 'no-such-agent', args: [], env: {}};
    await expect(
      launchAgent(agent, {cwd: root, sandbox: async () => ({ok: true, value: sandbox})}),
    ).resolves.toMatchObject({
      failure: {kind: 'command_not_found', command: 'no-such-agent'},
    });
  });

  test('has its MCP servers in there, too', async () => {
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const failures: string[] = [];
    const server = {
      name: 'it',
      command: '/bin/sh',
      args: ['-c', `echo x > ${home}/outside; echo x > ${root}/inside`],
      env: [],
    };
    const relay = createRelay(server, {
      cwd: root,
      environment: process.env,
      sandbox: async () => ({ok: true, value: sandbox}),
      log: () => {},
      onStart: () => {},
      onFailure: (reason) => failures.push(reason),
      onProcess: () => {},
    });
    await expect(relay.handle({method: 'tools/list', params: {}} as never)).rejects.toThrow('cannot be used');
    expect(failures).toHaveLength(1);
    expect(existsSync(join(root, 'inside'))).toBe(true);
    expect(existsSync(join(home, 'outside'))).toBe(false);
    await relay.close();
  });
});

describe.skipIf(hasNoSandbox)('print mode', () => {
  test('refuses a host that is not known, and says so', async () => {
    const config = temporaryFolder();
    const args = [FAKE_AGENT, 'script', JSON.stringify({turns: [command('curl -sS http://10.9.8.7/')]})];
    const agents = {mine: {command: {command: process.execPath, args}, sandboxFolders: []}};
    writeFileSync(join(config, 'config.json'), JSON.stringify({sandbox: 'on', agents}));
    const {exitCode, stderr} = await runHere(['-p', 'go', '--approve', 'all', '--agent', 'mine'], {
      env: {ACP_TUI_CONFIG_DIR: config},
    });
    expect(stderr).toContain('"Connect to 10.9.8.7:80"; no --approve level allows that.');
    expect(exitCode).toBe(5);
  });

  test('loads four files more than without a sandbox', async () => {
    const folder = temporaryFolder();
    const hook = `
      import {appendFileSync} from 'node:fs';
      import {registerHooks} from 'node:module';
      const file = process.env.LOADED_FILES;
      if (process.argv[1]?.endsWith('acp-tui.js'))
        registerHooks({load: (url, context, next) => (appendFileSync(file, url + '\\n'), next(url, context))});`;
    async function loaded(...args: readonly string[]): Promise<ReadonlySet<string | undefined>> {
      const file = join(folder, `loaded${args.length}`);
      const options = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
      const env = {ACP_TUI_CONFIG_DIR: folder, LOADED_FILES: file, NODE_OPTIONS: options};
      writeFileSync(join(folder, 'config.json'), JSON.stringify({sandboxFolders: []}));
      const {exitCode, stderr} = await runProgram(['-p', 'go', agentOption('echo'), ...args], {
        input: '',
        env,
      });
      expect(stderr).toBe('');
      expect(exitCode).toBe(0);
      const names = readFileSync(file, 'utf8').matchAll(/\/dist\/(.+)-[\w-]{8}\.js$/gm);
      return new Set(Array.from(names, ([, name]) => name));
    }
    const [without, inside] = [await loaded(), await loaded('--sandbox')];
    expect(without.size).toBeGreaterThan(3);
    const added = [...inside].filter((name) => !without.has(name));
    expect(added.join(' ')).toBe('set-up repositories git scheduler');
  });

  test('sends no file that the sandbox hides, by its name or through a link', async () => {
    const {root} = aHome();
    const [config, elsewhere] = [temporaryFolder(), temporaryFolder()];
    for (const file of [join(root, 'plan.txt'), join(elsewhere, 'shot')]) writeFileSync(file, 'text');
    symlinkSync('plan.txt', join(root, 'linked'));
    const settings = {sandboxFolders: [], sandboxHidden: ['plan.txt']};
    writeFileSync(join(config, 'config.json'), JSON.stringify(settings));
    const options = {cwd: root, env: {ACP_TUI_CONFIG_DIR: config}};
    const sent = async (file: string, option: string) => {
      const args = ['-p', 'go', '-f', file, option, agentOption('echo')];
      return (await runHere(args, options)).stderr;
    };
    expect(await sent('plan.txt', '--sandbox')).toContain('The sandbox hides it');
    expect(await sent('linked', '--sandbox')).toContain('which the sandbox hides');
    expect(await sent('linked', '--no-sandbox')).toBe('');
    // By its own name elsewhere, the user has said so.
    expect(await sent(join(elsewhere, 'shot'), '--sandbox')).toBe('');
  });

  test('starts no agent that it cannot confine', async () => {
    const {exitCode, stdout, stderr} = await runHere(['-p', 'go', '--sandbox', agentOption('echo')]);
    expect(stdout).toBe('');
    expect(stderr).toContain('No sandbox could be set up, so nothing was started.');
    expect(stderr).toContain('sandbox.folders');
    expect(exitCode).toBe(2);
  });
});
