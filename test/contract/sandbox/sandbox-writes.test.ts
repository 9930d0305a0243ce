import {existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createSessionSandbox} from '../../../src/sandbox/session-sandbox.ts';
import {ruleOf} from '../../../src/session/requests/permission-rules.ts';
import type {PendingPermission} from '../../../src/session/state.ts';
import {noPermissions} from '../conversation/conversation-defaults.ts';
import {idle, openScripted} from '../conversation/open-conversation.ts';
import {FIRST, openWindow} from '../conversation/open-window.ts';
import {patient} from '../conversation/turns/covered-turns.ts';
import {ask} from '../conversation/steps.ts';
import {contentIfAny} from '../../../src/sandbox/protected/entries.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {aHome, hasNoSandbox} from './sandboxes.ts';

const sandbox = {network: 'ask', networkHosts: [], sandboxSockets: 'none', sandboxFolders: []} as const;

/** A command that the agent runs, as it could without asking: it names none of the files. */
const COMMAND = [
  {
    ask: 'run',
    method: 'terminal/create',
    params: {sessionId: '$session', command: 'sh', args: ['work.sh']},
  },
  {answered: 'run'},
  ...ask('terminal/wait_for_exit', {terminalId: '$run.terminalId'}, 'exit'),
];

/** A repository with what no mount holds: links, settings of git, and what is not there yet. */
function aRepository(): string {
  const {root} = aHome();
  execFileSync('git', ['init', '-q', root]);
  writeFileSync(join(root, 'real'), 'mine\n');
  symlinkSync('real', join(root, '.envrc'));
  mkdirSync(join(root, '.vscode'));
  return root;
}

const WRITES = [
  'rm .envrc; echo theirs > .envrc',
  'mkdir -p deep/down/.husky; echo theirs > deep/down/.husky/pre-commit',
  'echo {} > .vscode/tasks.json',
  'git config core.fsmonitor ./theirs',
  'echo ../x > .git/commondir',
  'git init -q inner; echo theirs > inner/.git/hooks/pre-push',
  'git init -q --bare other; git -C other config core.hooksPath /x',
  // A checkout would write the home folder, through a link, or hooks.
  'git init -q far; git -C far config core.worktree /home',
  'git init -q linked; ln -s / away; git -C linked config core.worktree ../../away/home',
  'git init -q hooked; git -C hooked config core.worktree .',
  // The temporary folder of the sandbox, as it is called outside: from the root of its file system.
  `t=$(awk '$5 == "/tmp" {print $4}' /proc/self/mountinfo); git init -q /tmp/theirs; git -C /tmp/theirs config core.fsmonitor x`,
  'mkdir one two; ln -s $t/theirs/.git one/.git; ln -s /tmp$t/theirs/.git two/.git',
  'git init -q pushed; git -C pushed remote add one $t/theirs; git -C pushed remote add two file:///tmp$t/theirs',
];
const NAMED = [
  '.envrc',
  'deep/down/.husky/pre-commit',
  '.vscode/tasks.json',
  '.git/config',
  '.git/commondir',
  'inner/.git/hooks/pre-push',
  'other/config',
  'far/.git/config',
  'linked/.git/config',
  'hooked/.git/config',
  'tmp/theirs/.git/config',
  'pushed/.git/config',
];

async function afterTurn(script: string, options: Parameters<typeof openScripted>[1] = {}) {
  const {cwd = aRepository()} = options;
  writeFileSync(join(cwd, 'work.sh'), script);
  const before = contentIfAny(join(cwd, '.git/config'));
  const opened = await openScripted({turns: [COMMAND]}, {approval: 'all', sandbox, ...options, cwd});
  opened.prompt('go');
  return {...opened, cwd, before};
}

describe.skipIf(hasNoSandbox)('what a sandbox cannot hold and something runs later', () => {
  test.each(['Keep it', 'Undo it'])(
    'is named after the turn, each of it, and asked about: %s',
    async (choice) => {
      const {cwd, before, conversation, until} = await afterTurn(WRITES.join('\n'));
      const {pending} = await until((now) => now.pending.length > 0, 'the question');
      const [asked] = pending as readonly PendingPermission[];
      const text = JSON.stringify(asked);
      for (const name of NAMED) expect(text).toContain(`${name}: `);
      expect(text).toContain('core.fsmonitor = ./theirs');
      const index = asked?.options.findIndex(({name}) => name === choice) ?? -1;
      void conversation.answer(asked?.id ?? '', {kind: 'option', index});
      const {entries} = await until(idle, 'the end of the turn');
      const isKept = choice === 'Keep it';
      for (const name of ['.vscode/tasks.json', '.git/commondir', 'inner/.git/hooks/pre-push'])
        expect(existsSync(join(cwd, name))).toBe(isKept);
      expect(readFileSync(join(cwd, '.envrc'), 'utf8')).toBe(isKept ? 'theirs\n' : 'mine\n');
      expect(readFileSync(join(cwd, '.git/config'), 'utf8') === before).toBe(!isKept);
      expect(JSON.stringify(entries).includes('was undone')).toBe(!isKept);
    },
  );

  test('is undone in a folder that the settings name, too', async () => {
    const cwd = aRepository();
    const named = join(cwd, '../named');
    mkdirSync(named);
    const folders = {...sandbox, sandboxFolders: [named]};
    const script = 'cd ../named; mkdir .vscode; echo {} > .vscode/tasks.json; echo mine > free';
    const {until} = await afterTurn(script, {cwd, hasUser: false, sandbox: folders});
    await until(idle, 'the end of the turn');
    expect([existsSync(join(named, '.vscode/tasks.json')), existsSync(join(named, 'free'))]).toEqual([
      false,
      true,
    ]);
  });

  test("is undone if git's settings become a link to others, which were there", async () => {
    const {cwd, before, until} = await afterTurn(
      'mkdir -p crafted; printf "[core]\\n\\tfsmonitor = ./run.sh\\n" > crafted/config; ln -sf ../crafted/config .git/config',
      {hasUser: false},
    );
    await until(idle, 'the end of the turn');
    expect(lstatSync(join(cwd, '.git/config')).isSymbolicLink()).toBe(false);
    expect(readFileSync(join(cwd, '.git/config'), 'utf8')).toBe(before);
  });

  test('are settings of git: in a worktree, who commits may be set for all of its repository, and nothing that runs', async () => {
    const main = aRepository();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', main, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const cwd = join(main, '../tree');
    git('worktree', 'add', '-q', cwd);
    const setUser = await afterTurn('git config user.name theirs', {cwd});
    await setUser.until(idle, 'the end of the turn');
    expect(readFileSync(join(main, '.git/config'), 'utf8')).toContain('name = theirs');
    const setHook = await afterTurn('git config core.fsmonitor ./theirs', {cwd});
    const {pending} = await setHook.until((now) => now.pending.length > 0, 'the question');
    expect(JSON.stringify(pending)).toContain('core.fsmonitor = ./theirs');
    void setHook.conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 1});
    await setHook.until(idle, 'the end of the turn');
    expect(readFileSync(join(main, '.git/config'), 'utf8')).not.toContain('fsmonitor');
  });

  test('is shown as what it is: a link, or a file that can be run', async () => {
    const cwd = aRepository();
    const [path, content] = [join(cwd, '.mcp.json'), '/usr/share/x'];
    writeFileSync(
      join(cwd, 'work.sh'),
      `ln -sf ${content} .mcp.json; mkdir .husky; echo > .husky/pre-push; chmod 755 .husky/pre-push`,
    );
    const write = ask('fs/write_text_file', {sessionId: '$session', path, content}, 'written');
    const {prompt, until, conversation} = await openScripted(
      {turns: [[...write, ...COMMAND]]},
      {approval: 'all', cwd, sandbox},
    );
    prompt('go');
    // What was approved is a file with the text of the link.
    const approved = await until((now) => now.pending.length > 0, 'the question about the write');
    const [first] = approved.pending;
    void conversation.answer(first?.id ?? '', {kind: 'option', index: 0});
    const asked = (now: typeof approved) => now.pending.find(({id}) => id !== first?.id);
    const text = JSON.stringify(asked(await until((now) => asked(now) !== undefined, 'the question')));
    expect(text).toContain(`.mcp.json: created, a link to ${content}`);
    expect(text).toContain('.husky/pre-push: created, mode 755');
  });

  test('is asked about again if it is written while the question is there', async () => {
    const {cwd, conversation, until} = await afterTurn('echo shown > .mcp.json');
    const {pending} = await until((now) => now.pending.length > 0, 'the question');
    writeFileSync(join(cwd, '.mcp.json'), 'later');
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 0});
    const isOther = (id: string | undefined) => id !== undefined && id !== pending[0]?.id;
    const again = await until((now) => isOther(now.pending[0]?.id), 'the question again');
    expect(JSON.stringify(again.pending)).toContain('later');
    void conversation.answer(again.pending[0]?.id ?? '', {kind: 'option', index: 1});
    await until(idle, 'the end of the turn');
    expect(existsSync(join(cwd, '.mcp.json'))).toBe(false);
  });

  test('is undone where there is nobody to ask, unless a rule allows it', async () => {
    const refused = await afterTurn('echo theirs > .mcp.json', {hasUser: false});
    await refused.until(idle, 'the end of the turn');
    expect(existsSync(join(refused.cwd, '.mcp.json'))).toBe(false);
    const rule = ruleOf('allow', 'edit .mcp.json', 'user');
    const permissions = {...noPermissions, rules: () => (rule ? [rule] : [])};
    const allowed = await afterTurn('echo theirs > .mcp.json', {hasUser: false, permissions});
    await allowed.until(idle, 'the end of the turn');
    expect(existsSync(join(allowed.cwd, '.mcp.json'))).toBe(true);
  });

  test.each([
    [[], false],
    [['edit **'], false],
    [['edit editor/tasks.json'], true],
  ])('is no matter of a level by another name, either: %j', async (texts, isKept) => {
    const rules = texts.flatMap((text) => ruleOf('allow', text, 'user') ?? []);
    const permissions = {...noPermissions, rules: () => rules};
    const script = 'mkdir editor; echo theirs > editor/tasks.json; rmdir .vscode; ln -s editor .vscode';
    const {until, cwd} = await afterTurn(script, {hasUser: false, permissions});
    await until(idle, 'the end of the turn');
    expect(existsSync(join(cwd, '.vscode/tasks.json'))).toBe(isKept);
  });

  /** A turn that has written a protected file and does not end. */
  async function inTurn(options: Parameters<typeof openScripted>[1] = {}) {
    const cwd = aRepository();
    writeFileSync(join(cwd, 'work.sh'), 'echo theirs > .mcp.json');
    const opened = await openScripted(
      {turns: [[...COMMAND, {received: 'never'}]], initialize: {agentCapabilities: {loadSession: true}}},
      {approval: 'all', cwd, sandbox, ...options},
    );
    opened.prompt('go');
    await opened.answerTo('exit');
    return {...opened, file: join(cwd, '.mcp.json')};
  }

  test('is asked about before the agent starts again, if its turn has not ended', async () => {
    const {conversation, until, file} = await inTurn();
    const restarted = conversation.restart();
    const {pending} = await until((now) => now.pending.length > 0, 'the question');
    expect(JSON.stringify(pending)).toContain('.mcp.json: ');
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 1});
    await expect(restarted).resolves.toMatchObject({ok: true});
    expect(existsSync(file)).toBe(false);
  });

  test('is not forgotten if the sandbox ends by itself, and another one is set up', async () => {
    const cwd = aRepository();
    const agent = {label: 'demo', command: 'demo', args: [], env: {}};
    const session = {agent, cwd, additionalDirectories: [], sandbox, environment: {}};
    let place = cwd;
    const confining = createSessionSandbox(() => ({...session, cwd: place}), {
      ask: () => Promise.resolve(false),
      onRefused: () => {},
    });
    onTestFinished(() => confining.close());
    const first = await confining.open();
    if (!first.ok) throw new Error(failureSentence(first.failure));
    writeFileSync(join(cwd, '.vscode/tasks.json'), '{}');
    first.value.close();
    // Nor if that fails at first.
    place = '/';
    expect(await confining.open()).toMatchObject({ok: false});
    place = cwd;
    const second = await confining.open();
    if (!second.ok) throw new Error(failureSentence(second.failure));
    expect(second.value).not.toBe(first.value);
    expect(await second.value.watch.changes()).toEqual([
      expect.objectContaining({path: join(cwd, '.vscode/tasks.json'), does: 'created'}),
    ]);
  });

  test('is asked about again, and nothing starts, until it is decided', async () => {
    const {conversation, until, state, file} = await inTurn();
    const first = conversation.restart();
    await until((now) => now.pending.length > 0, 'the question');
    const second = conversation.restart();
    await expect(first).resolves.toMatchObject({ok: false});
    const [asked] = (await until((now) => now.pending.length > 0, 'the question again')).pending;
    void conversation.answer(asked?.id ?? '', {kind: 'cancelled'});
    await expect(second).resolves.toMatchObject({ok: false});
    expect(state().connection.kind).toBe('failed');
    const third = conversation.restart();
    const [again] = (await until((now) => now.pending.length > 0, 'the same question')).pending;
    void conversation.answer(again?.id ?? '', {kind: 'option', index: 1});
    await expect(third).resolves.toMatchObject({ok: true});
    expect(existsSync(file)).toBe(false);
  });

  test('is named if the session is closed before its turn has ended, and undone where there is nobody to ask', async () => {
    const named = await inTurn();
    await named.conversation.close();
    expect(JSON.stringify(named.state().entries)).toContain(
      '.mcp.json: written in the sandbox, and not decided',
    );
    expect(existsSync(named.file)).toBe(true);
    const undone = await inTurn({hasUser: false});
    await undone.conversation.close();
    expect(JSON.stringify(undone.state().entries)).toContain('was undone: .mcp.json');
    expect(existsSync(undone.file)).toBe(false);
  });

  test('is named in the session that is open if its own is closed in a window', async () => {
    const cwd = aRepository();
    writeFileSync(join(cwd, 'work.sh'), 'echo theirs > .mcp.json');
    const window = await openWindow('echo');
    await window.converse(FIRST, 'one');
    const script = {turns: [[...COMMAND, {received: 'never'}]]};
    const key = await window.openWith({cwd, sandbox}, 'script', JSON.stringify(script));
    window.prompt(key, 'go');
    await window.until(() => existsSync(join(cwd, '.mcp.json')));
    window.sessions.close(key);
    await window.until(() => window.notices(FIRST).length > 0);
    expect(window.notices(FIRST).join()).toContain('.mcp.json: written in the sandbox, and not decided');
  });

  test('is not asked about where git did its work', async () => {
    const script = `git -c user.name=t -c user.email=t@t commit -q --allow-empty -m one; git checkout -qb topic; git worktree add -q -b inner tree
      git remote add up .; git config branch.topic.merge refs/heads/main; git clone -q . clone; git init -q fresh
      git -c protocol.file.allow=always submodule --quiet add ./clone module`;
    const {until, cwd} = await afterTurn(script, {hasUser: false});
    const {entries} = await until(idle, 'the end of the turn');
    expect(existsSync(join(cwd, 'clone/.git'))).toBe(true);
    expect(existsSync(join(cwd, 'tree/.git'))).toBe(true);
    expect(existsSync(join(cwd, 'module/.git'))).toBe(true);
    expect(JSON.stringify(entries)).not.toContain('undone');
  });

  test('is asked about if a folder that git writes to becomes a link to another one', async () => {
    const cwd = aRepository();
    mkdirSync(join(cwd, 'tree'));
    execFileSync('git', ['-C', cwd, 'config', 'core.worktree', '../tree']);
    writeFileSync(join(cwd, 'work.sh'), 'rmdir tree; ln -s /home tree');
    const {prompt, until, conversation} = await openScripted(
      {turns: [COMMAND]},
      {approval: 'all', cwd, sandbox},
    );
    prompt('go');
    const {pending} = await until((now) => now.pending.length > 0, 'the question');
    const setting = 'core.worktree = ../tree, which is /home';
    expect(JSON.stringify(pending)).toContain(setting);
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 1});
    const {entries} = await until(idle, 'the end of the turn');
    expect(JSON.stringify(entries)).toContain(`Not undone: ${join(cwd, '.git/config')}, ${setting}`);
  });

  test('is undone where the agent has made more folders than are searched, and that is said', async () => {
    const script =
      'mkdir $(seq 1 10001); mkdir -p z/deep; echo theirs > z/.envrc; echo {} > z/deep/.mcp.json';
    const {until, cwd} = await afterTurn(script, {hasUser: false, ...patient()});
    const {entries} = await until(idle, 'the end of the turn');
    expect(JSON.stringify(entries)).toContain('too many folders');
    expect(['z/.envrc', 'z/deep/.mcp.json'].filter((name) => existsSync(join(cwd, name)))).toEqual([]);
  });

  test('is asked about once, if the agent has asked before it wrote it', async () => {
    const cwd = aRepository();
    const write = ask(
      'fs/write_text_file',
      {sessionId: '$session', path: join(cwd, '.mcp.json'), content: '{}'},
      'written',
    );
    const {prompt, until, conversation} = await openScripted({turns: [write]}, {cwd, sandbox});
    prompt('go');
    const {pending} = await until((now) => now.pending.length > 0, 'the question');
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 0});
    await until(idle, 'the end of the turn');
    expect(readFileSync(join(cwd, '.mcp.json'), 'utf8')).toBe('{}');
  });
});
