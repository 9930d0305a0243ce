import {mkdirSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createCommandLibrary} from '../../../../src/conversation/prompt/command-library.ts';
import type {Conversation} from '../../../../src/conversation/conversation.ts';
import type {CustomCall, CustomCommand} from '../../../../src/session/content/custom-command.ts';
import {readProjectSettings} from '../../../../src/settings/project-settings.ts';
import {trustFolder} from '../../../../src/settings/trusted-folders.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {openScripted} from '../open-conversation.ts';

function write(folder: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
  writeFileSync(path.join(folder, name), text);
}

function openLibrary() {
  const [config, state, home, folder] = [
    temporaryFolder(),
    temporaryFolder(),
    temporaryFolder(),
    temporaryFolder(),
  ];
  const library = createCommandLibrary({config, state, home});
  const names = async () =>
    (await library.list(folder)).commands.map(({name, from}) => `${name} (${from})`).toSorted();
  return {config, state, home, folder, library, names};
}

describe('the commands for a folder', () => {
  test("are the user's, with subfolders as parts of the name", async () => {
    const {config, names} = openLibrary();
    write(config, 'commands/review.md', 'Review it.');
    write(config, 'commands/git/commit.md', 'Commit it.');
    write(config, 'commands/notes.txt', 'No command.');
    expect(await names()).toEqual(['git:commit (yours)', 'review (yours)']);
  });

  test('those in the folder come first, once exactly these are trusted', async () => {
    const {config, folder, state, names} = openLibrary();
    write(config, 'commands/review.md', 'Mine.');
    write(folder, '.acp-tui/commands/review.md', 'Theirs.');
    expect(await names()).toEqual(['review (yours)']);
    const trust = () => trustFolder(state, folder, readProjectSettings(folder)!.hash);
    expect(trust().ok).toBe(true);
    expect(await names()).toEqual(['review (this folder)']);
    write(folder, '.acp-tui/commands/review.md', 'Changed.');
    expect(await names()).toEqual(['review (yours)']);
    trust();
    write(folder, '.acp-tui/commands/new.md', 'Added.');
    expect(await names()).toEqual(['review (yours)']);
    trust();
    const file = (name: string) => path.join(folder, '.acp-tui/commands', name);
    renameSync(file('new.md'), file('other.md'));
    expect(await names()).toEqual(['review (yours)']);
  });

  test('those of other clients are there if the user agreed, without what means something else there', async () => {
    const {config, folder, home, library, names} = openLibrary();
    write(home, '.claude/commands/a.md', '---\nmodel: haiku\nagent: x\n---\nDo a.');
    write(folder, '.gemini/commands/b.toml', 'prompt = "Do {{args}}"');
    write(home, '.config/opencode/command/c.md', 'Do c.');
    write(home, '.codex/prompts/d.md', 'Do d.');
    expect(await names()).toEqual([]);
    expect(await library.unasked(folder)).toEqual(['Gemini CLI', 'Claude Code', 'opencode', 'Codex']);
    write(config, 'config.json', '{"otherCommands": "on"}');
    expect(await names()).toEqual(['a (Claude Code)', 'b (Gemini CLI)', 'c (opencode)', 'd (Codex)']);
    const {commands} = await library.list(folder);
    expect(commands.find(({name}) => name === 'a')).not.toHaveProperty('model', 'haiku');
    expect(commands.map(({notation}) => notation)).toEqual(['gemini', 'claude', 'opencode', 'codex']);
    expect(await library.unasked(folder)).toEqual([]);
    write(config, 'config.json', '{"otherCommands": "off"}');
    expect(await names()).toEqual([]);
    expect(await library.unasked(folder)).toEqual([]);
  });

  test('a file that cannot be used is named with the reason, and the others are there', async () => {
    const {config, folder, home, library, names} = openLibrary();
    write(config, 'config.json', '{"otherCommands": "on"}');
    write(config, 'commands/good.md', 'Do it.');
    write(config, 'commands/empty.md', '---\ndescription: x\n---\n');
    write(config, 'commands/large.md', 'x'.repeat(65 * 1024));
    write(config, 'commands/a b.md', 'Do it.');
    write(home, '.gemini/commands/broken.toml', 'prompt = "a"\ndescription = "x\n');
    write(home, '.gemini/commands/other.toml', 'text = "a"');
    symlinkSync('/nowhere', path.join(config, 'commands/gone.md'));
    expect(await names()).toEqual(['good (yours)']);
    const {problems} = await library.list(folder);
    expect(problems.map((problem) => problem.replace(/^The command file .*\/|\.$/g, ''))).toEqual([
      'a b.md is ignored: its name needs letters, digits, _ and - only',
      'empty.md is ignored: it has no prompt',
      'gone.md is ignored: it does not exist',
      'large.md is ignored: it is larger than 64 KiB',
      'broken.toml is ignored: line 2 is not TOML',
      'other.toml is ignored: it has no prompt',
    ]);
  });

  test('a link out of a project is not followed: it could send any file to the agent', async () => {
    const {config, folder, home, library, names} = openLibrary();
    write(config, 'config.json', '{"otherCommands": "on"}');
    write(home, 'secret.md', 'the key');
    write(folder, '.claude/commands/fine.md', 'Do it.');
    write(home, '.claude/commands/linked.md', 'x');
    symlinkSync(path.join(home, 'secret.md'), path.join(folder, '.claude/commands/review.md'));
    symlinkSync(path.join(home, 'secret.md'), path.join(home, '.claude/commands/mine.md'));
    expect(await names()).toEqual(['fine (Claude Code)', 'linked (Claude Code)', 'mine (Claude Code)']);
    const {problems, commands} = await library.list(folder);
    expect(commands.map(({target}) => target && path.relative(home, target))).toEqual([
      undefined,
      undefined,
      'secret.md',
    ]);
    expect(problems).toEqual([
      expect.stringContaining('review.md is ignored: it is a link to another place'),
    ]);
  });

  test.each([
    '.ssh/id_rsa',
    'work/.env',
    '/proc/self/environ',
    'acp-tui/log.md',
    '.mozilla/firefox/logins.json',
    '.codex/history.jsonl',
  ])('no link is followed to what is private: %s', async (named) => {
    const {config, folder, home, library, names} = openLibrary();
    vi.stubEnv('ACP_TUI_STATE_DIR', path.join(home, 'acp-tui'));
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const target = path.resolve(home, named);
    if (!named.startsWith('/')) write(home, named, 'the key');
    write(config, 'config.json', '{"otherCommands": "on"}');
    write(home, '.claude/commands/fine.md', 'Do it.');
    symlinkSync(target, path.join(home, 'way'));
    symlinkSync('../../way', path.join(home, '.claude/commands/key.md'));
    mkdirSync(path.join(home, '.codex'), {recursive: true});
    symlinkSync(path.dirname(target), path.join(home, '.codex/prompts'));
    write(home, '.claude/shared.md', "The agent's own.");
    symlinkSync('../shared.md', path.join(home, '.claude/commands/shared.md'));
    expect(await names()).toEqual(['fine (Claude Code)', 'shared (Claude Code)']);
    const {problems} = await library.list(folder);
    expect(problems[0]).toMatch(/key\.md is ignored: it is a link to .*, which is private\.$/);
  });

  test("a link of yours may lead to another agent's command, but not on to what that one has linked", async () => {
    const {config, home, library, folder, names} = openLibrary();
    vi.stubEnv('ACP_TUI_CONFIG_DIR', config);
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    write(home, '.claude/commands/review.md', 'Review it.');
    write(home, '.codex/history.jsonl', 'Hush.');
    write(home, '.codex/auth.json', 'The key.');
    symlinkSync('../../.codex/history.jsonl', path.join(home, '.claude/commands/planted.md'));
    symlinkSync('../.codex', path.join(home, '.claude/folder'));
    write(config, 'commands/plain.md', 'Do it.');
    const link = (target: string, name: string) =>
      symlinkSync(path.join(home, target), path.join(config, 'commands', name));
    link('.claude/commands/review.md', 'review.md');
    link('.claude/commands/planted.md', 'planted.md');
    link('.claude/folder/history.jsonl', 'behind.md');
    link('.codex/auth.json', 'key.md');
    expect(await names()).toEqual(['plain (yours)', 'review (yours)']);
    expect((await library.list(folder)).problems).toHaveLength(3);
    renameSync(path.join(config, 'commands'), path.join(config, 'old'));
    symlinkSync(path.join(home, '.claude/commands'), path.join(config, 'commands'));
    expect(await names()).toEqual(['review (yours)']);
    expect((await library.list(folder)).problems).toEqual([expect.stringContaining('planted.md')]);
  });

  test('cannot control the terminal', async () => {
    const {config, folder, library} = openLibrary();
    write(config, 'commands/red.md', '---\ndescription: \x1b]0;title\x07x\n---\nA\x1b[2J\u202eB');
    const {commands} = await library.list(folder);
    expect(commands).toMatchObject([{description: '␛x', prompt: 'A␛\ufffdB'}]);
  });

  test('are 200 of a folder at most', async () => {
    const {config, folder, library} = openLibrary();
    for (let index = 0; index < 205; index++) write(config, `commands/c${index}.md`, 'Do it.');
    const {commands, problems} = await library.list(folder);
    expect(commands).toHaveLength(200);
    expect(problems).toEqual([expect.stringContaining('has 205 commands; only the first 200 are used')]);
  });

  test('a saved one is new, and in a subfolder if its name says so', async () => {
    const {config, library, names} = openLibrary();
    expect(await library.save('git:fix', 'Fix it.\n\n')).toEqual({
      ok: true,
      value: path.join(config, 'commands/git/fix.md'),
    });
    expect(await library.save('git:fix', 'Other.')).toMatchObject({ok: false, failure: {kind: 'file'}});
    expect(await library.save('../x', 'Other.')).toMatchObject({ok: false, failure: {kind: 'not_offered'}});
    expect(await names()).toEqual(['git:fix (yours)']);
  });
});

const custom = (prompt: string, more: Partial<CustomCommand> = {}) => ({
  command: {name: 'it', description: '', from: 'yours', prompt, ...more},
  argument: '',
});

const untrusting = {trust: () => {}};

/** The whole prompt of a command. */
async function promptOf(call: CustomCall, conversation: Conversation): Promise<string> {
  const expanded = await conversation.expand(call, untrusting);
  if (!expanded.ok) throw new Error(JSON.stringify(expanded.failure));
  return expanded.value.fill(expanded.value.text);
}

describe('the prompt of a command', () => {
  test('has no files that an output names', async () => {
    const {conversation} = await openScripted({}, {approval: 'all'});
    const call = custom('See @a.ts: !`echo @./secret`');
    const expanded = await conversation.expand(call, untrusting);
    expect(expanded).toMatchObject({
      ok: true,
      value: {text: expect.stringMatching(/^See @a\.ts: output-[\w-]+$/)},
    });
    expect(await promptOf(call, conversation)).toBe('See @a.ts: @./secret');
  });

  test('has the output of a command with the words of its own and those of the user', async () => {
    const {conversation} = await openScripted({}, {approval: 'all'});
    const call = {...custom("!`echo a b $1 | awk '{print $2, $3}'` for $5"), argument: "'c;'"};
    expect(await promptOf(call, conversation)).toBe('b c; for $5');
  });

  test('is not there if an argument would become a command', async () => {
    const {conversation, state} = await openScripted({}, {approval: 'all'});
    const call = {...custom('!`sh -c "ls $1"`'), argument: "'.; touch x'"};
    expect(await conversation.expand(call, untrusting)).toMatchObject({
      ok: false,
      failure: {why: 'it cannot be quoted there'},
    });
    expect([...state().terminals]).toEqual([]);
  });

  test('is not there if a command was stopped', async () => {
    const {conversation, state, until} = await openScripted({}, {approval: 'all'});
    const expanded = conversation.expand(custom('!`sleep 300`'), untrusting);
    await until(({terminals}) => [...terminals].length > 0, 'the command');
    const [terminal = ''] = Array.from(state().terminals, ({id}) => id);
    await conversation.stopCommand(terminal);
    expect(await expanded).toMatchObject({ok: false, failure: {why: 'it was stopped'}});
  });

  test('of a file that comes with a project is there once the user has seen the file as it is', async () => {
    const {config, folder, library} = openLibrary();
    write(config, 'config.json', '{"otherCommands": "on"}');
    write(folder, '.claude/commands/review.md', 'Look at @.env');
    const {conversation, until, state} = await openScripted({});
    const use = async () => {
      const [command] = (await library.list(folder)).commands;
      return conversation.expand({command: command!, argument: ''}, library);
    };
    const asked = async (index: number) => {
      const {pending} = await until(({pending}) => pending.length > 0, 'the question');
      expect(JSON.stringify(state())).toContain('Look at @.env');
      void conversation.answer(pending[0]!.id, {kind: 'option', index});
    };
    const refused = use();
    await asked(1);
    expect((await refused).ok).toBe(false);
    const allowed = use();
    await asked(0);
    expect((await allowed).ok).toBe(true);
    expect((await use()).ok).toBe(true);
    write(folder, '.claude/commands/review.md', 'Look at @.env now');
    const again = use();
    await asked(1);
    expect((await again).ok).toBe(false);
    const silent = await openScripted({}, {hasUser: false});
    const [command] = (await library.list(folder)).commands;
    expect((await silent.conversation.expand({command: command!, argument: ''}, library)).ok).toBe(false);
  });

  test('has what its commands print, and their exit code', async () => {
    const {conversation} = await openScripted({}, {approval: 'all'});
    const call = custom('A !`echo one; echo two >&2`.\n!`exit 3`');
    expect(await promptOf(call, conversation)).toBe('A one\ntwo.\n\n(exit code 3)');
  });

  test('is not there without permission for a command, and later commands do not run', async () => {
    const {conversation, cwd} = await openScripted({}, {hasUser: false});
    const call = custom('!`touch one` !`touch two`');
    const expanded = await conversation.expand(call, untrusting);
    expect(expanded).toMatchObject({ok: false, failure: {why: expect.stringContaining('--approve all')}});
    expect(readProjectSettings(cwd)).toBeUndefined();
    expect(conversation.denied()).toMatchObject([{title: 'touch one'}]);
  });

  test('is not there for another agent, nor with a mode that the agent does not have', async () => {
    const {conversation} = await openScripted({});
    const of = (more: Partial<CustomCommand>) => conversation.expand(custom('x', more), untrusting);
    expect(await of({agent: 'other'})).toMatchObject({failure: {why: 'it is for the agent other'}});
    expect(await of({agent: 'fake'})).toMatchObject({ok: true, value: {text: 'x'}});
    expect((await of({mode: 'nothing'})).ok).toBe(false);
  });
});

test('a prompt that calls a file which cannot be used stays in the queue, unless it is for the agent', async () => {
  const {config, library} = openLibrary();
  write(config, 'commands/gbad.md', '');
  const {sent, until, conversation} = await openScripted(
    {turns: [[]]},
    {customCommands: library, cwd: temporaryFolder()},
  );
  const content = [{type: 'text' as const, text: '/gbad a'}];
  const submit = (isAgents: boolean) =>
    void conversation.changeQueue({
      kind: 'submit',
      prompt: {text: '/gbad a', content, isAgents},
      place: 'last',
    });
  submit(false);
  const {entries, queue} = await until(({queue}) => queue.isPaused, 'the refusal');
  expect(JSON.stringify(entries)).toMatch(/The prompt was not sent\..*gbad\.md.*It has no prompt\./);
  expect(sent().filter(({method}) => method === 'session/prompt')).toEqual([]);
  void conversation.changeQueue({kind: 'remove', id: queue.prompts[0]!.id});
  submit(true);
  await until(({lastTurn}) => lastTurn !== undefined, 'the turn');
});
