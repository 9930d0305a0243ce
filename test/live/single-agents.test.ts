import {describe, expect, test} from 'vitest';
import {answer, ask, chatWith, printOnce, say} from './real-agent.ts';
import {ASKS} from '../support/driver/request-texts.ts';

test('the output of a Cline command is shown in its tool call, though only rawOutput has it', async () => {
  const chat = await chatWith('cline', '--approve', 'all');
  await ask(chat, 'run command', 'The command ran.');
  expect(chat.history()).toMatch(/run_commands: echo hi && ls[^]*hi\n/);
  const {stderr} = await printOnce('cline', '--approve', 'all', '--include', 'tools', 'run command');
  expect(stderr).toMatch(/\(done\)\n {2}hi\n/);
});

test("of Cline's two model options, provider and model, the model is shown and offered", async () => {
  const chat = await chatWith('cline');
  await chat.sees(/cline · gpt-4o · Act(?: · sandbox)? ─/);
  chat.type('/model\r');
  await chat.sees(/gpt-4o/);
  expect(chat.screen()).not.toContain('ClinePass');
});

test('a permission request of Codex shows its command, and so does the tool call', async () => {
  const chat = await chatWith('codex', '--mode', 'read-only');
  say(chat, 'run outside');
  await chat.sees(ASKS, 60);
  await chat.sees('echo hi && ls');
  await answer(chat, /^Yes, proceed/);
  await chat.hasSeen('The command ran.', 60);
  expect(chat.history()).toMatch(/List files[^]*echo hi && ls[^]*The command ran/);
});

describe('pi', () => {
  test('greets separately, and its answer is shown alone', async () => {
    const {stdout, stderr, exitCode} = await printOnce('pi', 'say hello');
    expect({stdout, exitCode}).toEqual({
      stdout: expect.stringMatching(/^Hello from the [^\n]*\n$/),
      exitCode: 0,
    });
    expect(stderr).toMatch(/^notice: pi v/);
  });

  test("omits the model's error, which acp-tui reports", async () => {
    const {stdout, stderr} = await printOnce('pi', 'model error');
    expect(stdout).toBe('');
    expect(stderr).toContain('The agent ended the turn without an answer.');
  });
});

describe('Copilot', () => {
  test('asks for a change and a command, each shown once', async () => {
    const chat = await chatWith('copilot');
    say(chat, 'write file');
    await chat.sees('line three', 60);
    expect(chat.screen()).not.toMatch(/diff --git|@@/);
    expect(chat.screen().match(/line three/g)).toHaveLength(1);
    await answer(chat, /^Allow once/);
    await chat.hasSeen('The file is written.', 60);
    say(chat, 'run command');
    await chat.sees('$ echo hi && ls', 60);
    expect(chat.screen()).not.toContain('commands:');
    await answer(chat, /^Allow once/);
    await chat.hasSeen('The command ran.', 60);
  });

  test('sends notices apart from its answer', async () => {
    const {stdout, stderr} = await printOnce('copilot', '--approve', 'all', 'write file');
    expect(stdout).toMatch(/^I will write the file\. ?\n+The file is written\.\n$/);
    expect(stderr).toMatch(/^notice: .*lab-notes\.md$/m);
  });

  test('counts tokens over the session, and each turn shows its own', async () => {
    const chat = await chatWith('copilot');
    for (const answers of [1, 2, 3])
      await ask(chat, 'say hello', new RegExp(`(?:Hello from the mock model[^]*?){${answers}}`));
    const reported = [...chat.history().matchAll(/ · ([\d.]+)k tokens/g)].map(([, thousands]) =>
      Number(thousands),
    );
    expect(reported).toHaveLength(3);
    for (const thousands of reported) expect(thousands).toBeLessThan(2);
  });
});

test('a tool call of Kilo Code is printed once it has ended, however tall its request was', async () => {
  const chat = await chatWith('kilo');
  say(chat, 'write file');
  await answer(chat, /^Allow once/);
  await chat.hasSeen('The file is written.', 60);
  expect(chat.history()).not.toMatch(/^[○◐] /m);
  expect(chat.history().match(/\(\+5 −0\)/g)).toHaveLength(1);
});
