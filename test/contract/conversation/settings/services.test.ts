import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {answerOf, idle, openScripted} from '../open-conversation.ts';
import {ask, terminal} from '../steps.ts';

describe('files', () => {
  const three = (cwd: string) => writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nthree\n');

  test.each([
    [{}, 'one\ntwo\nthree\n'],
    [{line: 1, limit: 1}, 'one\n'],
    [{line: 2}, 'two\nthree\n'],
    [{line: 2, limit: 1}, 'two\n'],
    [{limit: 2}, 'one\ntwo\n'],
    [{line: null, limit: null}, 'one\ntwo\nthree\n'],
    [{line: 9}, ''],
  ])('are read from a line counted from 1: %j', async (part, content) => {
    const answer = await answerOf(ask('fs/read_text_file', {path: '$cwd/a.txt', ...part}), three);
    expect(answer.result).toEqual({content});
  });

  test.each([
    [{path: '$cwd/none.txt'}, -32_002],
    [{path: '$cwd'}, -32_602],
    [{path: 'a.txt'}, -32_602],
    [{path: '$cwd/../outside.txt'}, -32_602],
    [{path: '/etc/passwd'}, -32_602],
    [{path: '$cwd/a.txt', line: 0}, -32_602],
    [{path: '$cwd/a.txt', limit: 0}, -32_602],
  ])('that cannot be read as %j are answered with %i', async (params, code) => {
    expect(await answerOf(ask('fs/read_text_file', params), three)).toMatchObject({error: {code}});
  });

  test('are created with their parent folders and written as sent', async () => {
    const content = '\uFEFFone\r\ntwo';
    const opened = await openScripted(
      {turns: [ask('fs/write_text_file', {path: '$cwd/new/deep/a.txt', content})]},
      {approval: 'all'},
    );
    opened.prompt('go');
    expect((await opened.answerTo('it')).result).toEqual({});
    expect(readFileSync(join(opened.cwd, 'new/deep/a.txt'), 'utf8')).toBe(content);
  });

  test('that are not writable are rejected with -32603 and the reason "denied"', async () => {
    const {prompt, answerTo} = await openScripted(
      {turns: [ask('fs/write_text_file', {path: '$cwd/a.txt', content: ''})]},
      {approval: 'reads', hasUser: false},
    );
    prompt('go');
    expect(await answerTo('it')).toMatchObject({error: {code: -32_603, data: {reason: 'denied'}}});
  });
});

describe('terminals', () => {
  const create = (params: Record<string, unknown>) => ask('terminal/create', params, 'run');
  const then = (method: string, id = 'it') => ask(`terminal/${method}`, terminal, id);

  test('run a command with its arguments, folder and variables', async () => {
    const command = {
      command: 'sh',
      args: ['-c', 'printf "%s|%s|%s" "$PWD" "$GREETING" "$1"', 'sh', 'two words'],
      cwd: '$cwd/sub',
      env: [{name: 'GREETING', value: 'hello'}],
    };
    const answer = await answerOf(
      [...create(command), ...then('wait_for_exit', 'wait'), ...then('output')],
      (cwd) => mkdirSync(join(cwd, 'sub')),
    );
    expect(answer.result).toEqual({
      output: expect.stringMatching(/\/sub\|hello\|two words$/),
      truncated: false,
      exitStatus: {exitCode: 0, signal: null},
    });
  });

  test('report their output while they run, without an exit status', async () => {
    const answer = await answerOf([...create({command: 'sleep', args: ['300']}), ...then('output')]);
    expect(answer.result).toEqual({output: '', truncated: false});
  });

  test('run a command line without arguments through the shell', async () => {
    const answer = await answerOf([
      ...create({command: 'echo one && echo two | tr a-z A-Z; exit 3'}),
      ...then('wait_for_exit', 'wait'),
      ...then('output'),
    ]);
    expect(answer.result).toMatchObject({output: 'one\nTWO\n', exitStatus: {exitCode: 3}});
  });

  test('keep at most the byte limit, from the end, in whole characters', async () => {
    const answer = await answerOf([
      ...create({command: 'printf "äöüß"', outputByteLimit: 5}),
      ...then('wait_for_exit', 'wait'),
      ...then('output'),
    ]);
    expect(answer.result).toMatchObject({output: 'üß', truncated: true});
  });

  test('that are killed report the signal and stay until released', async () => {
    const steps = [
      ...create({command: 'sleep', args: ['300']}),
      ...then('kill', 'kill'),
      ...then('wait_for_exit'),
      ...then('output', 'output'),
    ];
    expect((await answerOf(steps)).result).toEqual({exitCode: null, signal: 'SIGTERM'});
  });

  test.each(['output', 'wait_for_exit', 'kill', 'release'])(
    'that are released have no %s any more',
    async (method) => {
      const steps = [...create({command: 'true'}), ...then('release', 'release'), ...then(method)];
      expect(await answerOf(steps)).toMatchObject({error: {code: -32_002}});
    },
  );

  test('that are shown in a tool call keep their output there after the release', async () => {
    const {prompt, until, state} = await openScripted(
      {
        turns: [
          [
            ...create({command: 'echo kept'}),
            {
              update: {
                sessionUpdate: 'tool_call',
                toolCallId: 't',
                title: 'echo',
                content: [{type: 'terminal', terminalId: '$run.terminalId'}],
              },
            },
            ...then('wait_for_exit', 'wait'),
            ...then('release'),
          ],
        ],
      },
      {approval: 'all'},
    );
    prompt('go');
    await until(idle, 'the end');
    expect([...state().terminals]).toMatchObject([{output: 'kept\n', released: true}]);
  });

  test.each([
    [{command: 'surely-no-such-program', args: ['x']}, -32_002],
    [{command: 'true', cwd: 'relative'}, -32_602],
    [{command: 'true', cwd: '/'}, -32_602],
    [{command: ''}, -32_602],
  ])('that cannot be started as %j are answered with %i', async (params, code) => {
    expect(await answerOf(ask('terminal/create', params))).toMatchObject({error: {code}});
  });
});
