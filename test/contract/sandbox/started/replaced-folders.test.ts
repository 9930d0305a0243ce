import {execFileSync} from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createSandbox} from '../../../../src/sandbox/sandbox.ts';
import {setUpSandbox} from '../../../../src/sandbox/set-up.ts';
import {failureSentence} from '../../../../src/shared/failure-messages.ts';
import type {Conversation} from '../../../../src/conversation/conversation.ts';
import {ask} from '../../conversation/steps.ts';
import {
  makeConversation,
  openScripted,
  type OpenedConversation,
} from '../../conversation/open-conversation.ts';
import {aHome, aPolicy, hasNoSandbox, outputOf} from '../sandboxes.ts';
import {openChat, runCommand, say} from '../../../support/driver/chat.ts';
import {aPlaceHere, here, openWindowThere} from './place.ts';

/** A project whose folders another agent can replace by links to another project. */
function aProject() {
  const {home, root} = aHome();
  const [docs, other] = [join(root, 'docs'), join(home, 'other')];
  for (const folder of [docs, other]) mkdirSync(folder);
  writeFileSync(join(other, 'file'), 'of another project');
  return {home, root, docs, other};
}

function replace(folder: string, other: string): void {
  renameSync(folder, `${folder}-moved`);
  symlinkSync(other, folder);
}

const questions = ({state}: OpenedConversation) => JSON.stringify(state().pending);

describe.each(['the session folder', 'another folder'])('%s that has become a link', (which) => {
  const placeOf = () => {
    const {root, docs, other} = aProject();
    const replaced = which === 'another folder' ? docs : root;
    return {cwd: root, additionalDirectories: [docs], replaced, other};
  };

  test.each([
    ['the agent is started again', (conversation: Conversation) => conversation.restart()],
    ['it opens a new session', (conversation: Conversation) => conversation.openSession({kind: 'new'})],
  ])('is used where it leads only after a question that names that, when %s', async (_what, use) => {
    const {replaced, other, ...folders} = placeOf();
    const read = ask('fs/read_text_file', {sessionId: '$session', path: join(other, 'file')}, 'read');
    const opened = await openScripted({turns: [read]}, {...folders, approval: 'all'});
    const {conversation, until, state, prompt, answerTo} = opened;
    replace(replaced, other);
    const refused = use(conversation);
    const asked = await until(({pending}) => pending.length > 0, 'the question');
    expect(questions(opened)).toContain(replaced);
    expect(questions(opened)).toContain(other);
    await conversation.answer(asked.pending[0]?.id ?? '', {kind: 'option', index: 1});
    await expect(refused).resolves.toMatchObject({ok: false});
    const allowed = use(conversation);
    const again = await until(({pending}) => pending.length > 0, 'the question');
    await conversation.answer(again.pending[0]?.id ?? '', {kind: 'option', index: 0});
    await expect(allowed).resolves.toMatchObject({ok: true});
    prompt('read');
    await expect(answerTo('read')).resolves.toMatchObject({result: {content: 'of another project'}});
    await conversation.restart();
    expect(state().pending).toEqual([]);
  });

  test('is refused without a user', async () => {
    const {replaced, other, ...folders} = placeOf();
    const {conversation} = await openScripted({turns: []}, {...folders, hasUser: false});
    replace(replaced, other);
    const restarted = await conversation.restart();
    expect(restarted.ok ? '' : failureSentence(restarted.failure)).toContain(other);
  });
});

test('a folder that was named through a link is used without a question', async () => {
  const {root, other} = aProject();
  symlinkSync(other, join(root, 'link'));
  const {conversation, state} = makeConversation(['script', '{}'], {cwd: join(root, 'link')});
  await expect(conversation.open()).resolves.toMatchObject({ok: true});
  await expect(conversation.restart()).resolves.toMatchObject({ok: true});
  expect(state().pending).toEqual([]);
});

test('a folder that was named through a link whose target is gone is missing, and nothing is asked', async () => {
  const {root, other} = aProject();
  const link = join(root, 'link');
  symlinkSync(other, link);
  const {conversation, state} = makeConversation(['script', '{}'], {cwd: link});
  await expect(conversation.open()).resolves.toMatchObject({ok: true});
  renameSync(other, `${other}-moved`);
  const refused = await conversation.restart();
  expect(refused.ok ? '' : failureSentence(refused.failure)).toContain(`led to ${other}`);
  renameSync(`${other}-moved`, other);
  await expect(conversation.restart()).resolves.toMatchObject({ok: true});
  expect(state().pending).toEqual([]);
});

test('a stored session whose folder has become a link is resumed only after a question, and not without a user', async () => {
  const at = aPlaceHere({settings: {}});
  const other = join(at.home, 'other');
  mkdirSync(other);
  const first = await openWindowThere(at, [], 'spy');
  await say(first, 'go');
  await runCommand(first, '/exit');
  await first.ended();
  replace(at.cwd, other);
  at.forget();
  const run = await here({...at, cwd: at.home}, '-C', at.cwd, '-p', 'go', '-c');
  expect(run).toMatchObject({exitCode: 2, stderr: expect.stringContaining(other)});
  expect(at.where()).toBe('not started');
  const chat = openChat({home: at.home, cwd: at.home, columns: 100, args: ['-C', at.cwd, '-c']});
  await chat.sees(`Use ${other}`);
  await chat.sees('why am I asked');
  expect(at.where()).toBe('not started');
  chat.type('1');
  await expect.poll(() => at.where()).toBe('outside');
});

test('another session of a window whose folder has become a link begins with a question', async () => {
  const at = aPlaceHere({settings: {}});
  const other = join(at.home, 'other');
  mkdirSync(other);
  const chat = await openWindowThere(at, [], 'spy');
  await say(chat, 'go');
  replace(at.cwd, other);
  at.forget();
  chat.press('ctrl+x');
  chat.type('n');
  await chat.sees(`Use ${other}`);
  expect(at.where()).toBe('not started');
});

describe.skipIf(hasNoSandbox)('a sandbox', () => {
  test('is not set up in a workspace that has become a link, or is one by the time it is looked up', async () => {
    const {home, root, other} = aProject();
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const session = {
      agent: {label: 'demo', command: 'demo', args: [], env: {}},
      cwd: root,
      additionalDirectories: [],
      realFolders: {[root]: root},
      sandbox: {network: 'none', networkHosts: [], sandboxSockets: 'none'} as const,
      environment: {},
    };
    const options = {ask: async () => false, onRefused: () => {}};
    const failure = {kind: 'sandbox', reason: 'refused', detail: expect.stringContaining(other)};
    const settingUp = setUpSandbox(session, options);
    replace(root, other);
    await expect(settingUp).resolves.toMatchObject({ok: false, failure});
    await expect(setUpSandbox(session, options)).resolves.toMatchObject({ok: false, failure});
    const followed = await setUpSandbox({...session, realFolders: {[root]: other}}, options);
    if (!followed.ok) throw new Error(JSON.stringify(followed.failure));
    onTestFinished(() => followed.value.close());
    await outputOf(followed.value, 'echo x > written');
    expect(existsSync(join(other, 'written'))).toBe(true);
  });

  /** A home with a project and a worktree, not in a temporary folder: a sandbox has another one in its place. */
  function aRealHome() {
    const home = mkdtempSync(join(realpathSync('node_modules'), '.acp-tui-home-'));
    onTestFinished(() => rmSync(home, {recursive: true, force: true}));
    const [root, main, tree] = [join(home, 'project'), join(home, 'main'), join(home, 'tree')];
    for (const name of ['d', '.vscode', 'named', 'inner']) mkdirSync(join(root, name), {recursive: true});
    for (const name of ['d/.envrc', '.vscode/tasks.json']) writeFileSync(join(root, name), '');
    const git = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-C', main];
    execFileSync('git', ['init', '-q', main]);
    execFileSync('git', [...git, 'commit', '-q', '--allow-empty', '-m', 'first']);
    execFileSync('git', [...git, 'worktree', 'add', '-q', tree]);
    return {home, root, tree};
  }

  test.each([
    ['a folder that holds a protected file', 'project/d'],
    ['a protected file', 'project/.vscode/tasks.json'],
    ['a folder that the settings name', 'project/named'],
    ['a further folder of the session', 'project/inner'],
    ['the git folder of a worktree', 'main/.git'],
  ])('is not set up where %s is replaced by a link meanwhile', async (_what, name) => {
    const {home, root, tree} = aRealHome();
    const place = join(home, name);
    const policy = aPolicy({
      home,
      roots: [root, join(root, 'inner'), tree],
      sandboxFolders: [join(root, 'named')],
    });
    let swap = () => {
      cpSync(place, join(home, 'like-it'), {recursive: true});
      renameSync(place, join(home, 'moved'));
      // To a file or folder that is there inside, too.
      symlinkSync(relative(dirname(place), join(home, 'like-it')), place);
      swap = () => {};
    };
    const made = await createSandbox(
      {
        ...policy,
        // Asked while the workspace is looked up: what is found is replaced before it is mounted.
        isProtected(path) {
          queueMicrotask(() => swap());
          return policy.isProtected(path);
        },
      },
      {ask: async () => false, onRefused: () => {}},
    );
    const detail = `${place} was replaced while the sandbox was set up`;
    expect(made).toMatchObject({ok: false, failure: {kind: 'sandbox', reason: 'refused', detail}});
  });
});
