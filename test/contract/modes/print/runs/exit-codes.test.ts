import {describe, expect, test, vi} from 'vitest';
import type {DeniedRequest} from '../../../../../src/host/services.ts';
import type {Turn} from '../fake-conversation.ts';
import {runFake, startFake} from '../run-fake.ts';

const answers: Turn = async (agent) => {
  agent.say('Done.');
  return 'end_turn';
};
const write: DeniedRequest = {method: 'fs/write_text_file', title: '/project/a.txt', allowedBy: 'edits'};
const outside: DeniedRequest = {method: 'fs/read_text_file', title: '/etc/shadow', allowedBy: undefined};

describe('the exit code', () => {
  test('is 1 when the agent crashes during the turn, and the partial answer is kept', async () => {
    const run = await runFake(['hello'], async (agent) => {
      agent.say('Half of');
      return {kind: 'connection_lost', exit: {code: 3, signal: null}, stderrTail: 'boom'};
    });
    expect(run).toMatchObject({exitCode: 1, stdout: 'Half of\n'});
    expect(run.stderr).toMatch(/^acp-tui: .+\n$/);
  });

  test('is 1 when the agent cannot be started, with one sentence', async () => {
    const run = await runFake(['hello'], answers, {
      opening: {kind: 'command_not_found', command: 'nonesuch'},
    });
    expect(run).toMatchObject({exitCode: 1, stdout: ''});
    expect(run.stderr).toMatch(/^acp-tui: .*nonesuch.*\n$/);
    expect(run.conversation.prompts).toEqual([]);
  });

  test('is 2 for an unknown mode, listing the available ones', async () => {
    const run = await runFake(['hello'], answers, {
      opening: {kind: 'unknown_value', what: 'mode', value: 'yolo', valid: ['ask', 'code']},
    });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/yolo.*ask.*code/);
  });

  test('is 2 for a missing file, before the agent starts', async () => {
    const run = await runFake(['hello', '-f', '/nonesuch/file.txt'], answers);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('/nonesuch/file.txt');
    expect(run.conversation.calls).not.toContain('open');
  });

  test('is 2 for an output file that is not writable, before the agent starts', async () => {
    const run = await runFake(['hello', '-o', '/nonesuch/answer.md'], answers);
    expect(run.exitCode).toBe(2);
    expect(run.conversation.calls).not.toContain('open');
  });

  test('is 2 when the prompt comes from an empty standard input', async () => {
    const run = await runFake([], answers, {stdin: ' \n'});
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('Missing prompt');
  });

  test('is 5 when something was rejected, naming it and the flag that allows it', async () => {
    const run = await runFake(['hello'], async (agent) => {
      agent.deny(write);
      return 'end_turn';
    });
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toMatch(/\/project\/a\.txt.*--approve edits/);
  });

  test('is 5 when the agent answers cancelled after a rejection', async () => {
    const run = await runFake(['hello'], async (agent) => {
      agent.deny(outside);
      return 'cancelled';
    });
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toContain('no --approve level');
  });

  test('is 5 when a rule denied, naming the rule and its source, and no flag', async () => {
    const run = await runFake(['hello'], async (agent) => {
      agent.deny({...outside, title: '/project/.env', rule: 'rule: any .env* (user)'});
      return 'end_turn';
    });
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toMatch(/\/project\/\.env.*rule: any \.env\* \(user\).*config\.json/);
    expect(run.stderr).not.toContain('--approve');
  });

  test('is 5 when rules and the level rejected, naming each', async () => {
    const run = await runFake(['hello'], async (agent) => {
      agent.deny(write);
      agent.deny({...outside, rule: 'rule: fetch (project)'});
      return 'end_turn';
    });
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toMatch(/a\.txt"; --approve edits allows it\..*\/etc\/shadow.*rule: fetch/);
    expect(run.stderr).toContain('.acp-tui.json');
  });

  test('is 1 when the agent answers cancelled on its own', async () => {
    const run = await runFake(['hello'], async () => 'cancelled');
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('cancelled');
  });

  test('is 6 when authentication is required, naming each method and the option for it', async () => {
    const run = await runFake(['hello'], answers, {
      opening: {
        kind: 'authentication_required',
        methods: [
          {id: 'api-key', name: 'API key'},
          {id: 'login', name: 'Log in', type: 'terminal', args: ['--login as', 'me'], env: {MODE: "it's"}},
          {
            id: 'keys',
            name: 'Keys',
            type: 'env_var',
            vars: [
              {name: 'KEY', secret: true, optional: false},
              {name: 'PLACE', secret: false, optional: true},
            ],
          },
          {id: 'later', name: 'Later', type: 'unknown', kind: 'passkey'},
        ],
      },
    });
    expect(run.exitCode).toBe(6);
    expect(run.stderr).toContain('"API key" (--auth api-key)');
    expect(run.stderr).toContain(
      String.raw`"Log in", in a terminal: MODE='it'\''s' fake-agent acp '--login as' me;`,
    );
    expect(run.stderr).toContain('"Keys": --env KEY=… --env PLACE=… (optional), with --auth keys.');
    expect(run.stderr).not.toContain('Later');
  });

  test('is 3 when the time limit passes and the agent obeys the cancellation', async () => {
    const run = await runFake(['hello', '--timeout', '0.01'], async (agent) => {
      await agent.cancelled;
      return 'cancelled';
    });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain('--timeout');
    expect(run.conversation.calls).toEqual(['open', 'cancel', 'close']);
  });

  test('is 3 when the time limit passes while the agent is starting', async () => {
    const run = await runFake(['hello', '--timeout', '0.01'], answers, {hangsAtStart: true});
    expect(run.exitCode).toBe(3);
    expect(run.conversation.calls).toEqual(['open', 'close']);
  });

  test('is 3 half a second later when the agent ignores the cancellation', async () => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
    try {
      const {conversation, exitCode} = startFake(['hello', '--timeout', '60'], async () => 'never');
      await vi.advanceTimersByTimeAsync(60_000);
      expect(conversation.calls).toEqual(['open', 'cancel']);
      await vi.advanceTimersByTimeAsync(500);
      expect(await exitCode).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('the agent has stopped a second after the time limit, whatever it does', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  try {
    const {conversation, exitCode} = startFake(['hello', '--timeout', '60'], async () => 'never', {
      hangsAtEnd: true,
    });
    await vi.advanceTimersByTimeAsync(60_500);
    expect(conversation.calls).toEqual(['open', 'cancel', 'close']);
    await vi.advanceTimersByTimeAsync(400);
    expect(await exitCode).toBe(3);
    expect(conversation.calls).toContain('kill');
  } finally {
    vi.useRealTimers();
  }
});

describe('a signal', () => {
  test('SIGINT cancels the turn, waits for its end, and prints the output so far', async () => {
    const {conversation, io, exitCode} = startFake(['hello'], async (agent) => {
      agent.say('Half ');
      io.signal('SIGINT');
      await agent.cancelled;
      agent.say('done.');
      return 'cancelled';
    });
    expect(await exitCode).toBe(130);
    expect(io.out()).toBe('Half done.\n');
    expect(io.err()).toContain('press Ctrl+C again');
    expect(conversation.calls).toEqual(['open', 'cancel', 'close']);
  });

  test('SIGINT twice exits at once, although the agent never answers and never exits', async () => {
    const {conversation, io, exitCode} = startFake(
      ['hello'],
      async () => {
        io.signal('SIGINT');
        io.signal('SIGINT');
        return 'never';
      },
      {hangsAtEnd: true},
    );
    expect(await exitCode).toBe(130);
    expect(conversation.calls).toContain('kill');
  });

  test('SIGINT before the session is open exits without sending the prompt', async () => {
    const {conversation, io, exitCode} = startFake(['hello'], answers, {hangsAtStart: true});
    await expect.poll(() => conversation.calls).toContain('open');
    io.signal('SIGINT');
    expect(await exitCode).toBe(130);
    expect(conversation.prompts).toEqual([]);
  });

  test.each([
    [129, 'SIGHUP'],
    [143, 'SIGTERM'],
  ] as const)('%i for %s when the agent obeys', async (code, signal) => {
    const {io, exitCode} = startFake(['hello', '--output-format', 'json'], async (agent) => {
      io.signal(signal);
      await agent.cancelled;
      return 'cancelled';
    });
    expect(await exitCode).toBe(code);
    expect(JSON.parse(io.out())).toMatchObject({exitCode: code, stopReason: 'cancelled', error: null});
  });

  test('takes precedence over a rejected permission', async () => {
    const {io, exitCode} = startFake(['hello'], async (agent) => {
      agent.deny(write);
      io.signal('SIGTERM');
      await agent.cancelled;
      return 'cancelled';
    });
    expect(await exitCode).toBe(143);
  });
});
