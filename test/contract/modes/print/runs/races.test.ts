import {Writable} from 'node:stream';
import {describe, expect, test, vi} from 'vitest';
import type {DeniedRequest} from '../../../../../src/host/services.ts';
import type {FakeAgent, Turn} from '../fake-conversation.ts';
import {quoteWords} from '../../../../../src/text/shell-quote.ts';
import {FAKE_AGENT} from '../../../../support/fake-agent.ts';
import {agentOption, runHere, startProgram} from '../../../../support/program/run-program.ts';
import {startFake} from '../run-fake.ts';

/* The exit codes hold at whatever point of a run something happens, and whatever else happens with it. */

const outside: DeniedRequest = {method: 'fs/read_text_file', title: '/etc/shadow', allowedBy: undefined};

const obeys: Turn = async (agent) => {
  agent.say('waiting');
  await agent.cancelled;
  return 'cancelled';
};
const ignores: Turn = async (agent) => {
  agent.say('thinking');
  return 'never';
};
const dies: Turn = async (agent) => {
  agent.say('dying');
  await agent.cancelled;
  return {kind: 'connection_lost', exit: {code: 1, signal: null}, stderrTail: ''};
};
const refuses: Turn = async (agent) => {
  agent.deny(outside);
  await agent.cancelled;
  return 'refusal';
};

/** The point in a run: what the agent and the user do until then. */
const PHASES: readonly (readonly [name: string, turn: Turn, setup: Parameters<typeof startFake>[2]])[] = [
  ['while the prompt is read', obeys, {stdinStaysOpen: true}],
  ['while the agent starts', obeys, {hangsAtStart: true}],
  ['in a turn that obeys', obeys, {}],
  ['in a turn that ignores a cancel', ignores, {}],
  ['in a turn whose agent dies of a cancel', dies, {}],
  ['in a turn that was refused something', refuses, {}],
  ['in a turn whose agent does not end', ignores, {hangsAtEnd: true}],
];

const EVENTS = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['the time limit', 3],
  ['the time limit, then SIGTERM', 143],
  ['SIGTERM, then the time limit', 143],
] as const;

async function settles<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

describe.each(PHASES)('%s', (_phase, turn, setup) => {
  test.each(EVENTS)('%s exits with %i', async (event, code) => {
    await settles(async () => {
      const args = setup?.stdinStaysOpen ? ['--timeout', '60'] : ['hello', '--timeout', '60'];
      const {conversation, io, exitCode} = startFake(args, turn, setup);
      await vi.advanceTimersByTimeAsync(1000);
      for (const step of event.split(', then ')) {
        if (step === 'the time limit') await vi.advanceTimersByTimeAsync(59_100);
        else io.signal(step as 'SIGTERM');
      }
      await vi.advanceTimersByTimeAsync(10_000);
      if (setup?.hangsAtEnd && !event.includes('limit')) io.signal('SIGTERM');
      // A run that stops at the time limit has exited before the signal.
      const isOver = event === 'the time limit, then SIGTERM' && turn !== ignores;
      expect(await exitCode).toBe(isOver ? 3 : code);
      expect(conversation.prompts.length).toBe(setup?.stdinStaysOpen || setup?.hangsAtStart ? 0 : 1);
    });
  });
});

test('a signal while a result waits for a slow reader sets the exit code', async () => {
  const stuck = new Writable({highWaterMark: 1, write: () => {}});
  const {io, exitCode} = startFake(['hello'], async (agent) => said(agent), {stdout: stuck});
  await vi.waitFor(() => expect(stuck.writableLength).toBeGreaterThan(0));
  io.signal('SIGTERM');
  expect(await exitCode).toBe(143);
});

test.each(['text', 'json', 'stream-json', 'quiet'])(
  '%s closed at the last chunk exits with 141, without a message',
  async (format) => {
    const broken = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), {code: 'EPIPE'})),
    });
    const {io, exitCode} = startFake(['hello', '--output-format', format], async (agent) => said(agent), {
      stdout: broken,
    });
    expect(await exitCode).toBe(141);
    expect(io.err()).toBe('');
  },
);

test('a full disk at the last chunk exits with 1 and a message, which takes precedence over a rejection', async () => {
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('ENOSPC'), {code: 'ENOSPC'})),
  });
  const refused: Turn = async (agent) => {
    agent.deny(outside);
    return said(agent);
  };
  const {io, exitCode} = startFake(['hello', '--output-format', 'json'], refused, {stdout: full});
  expect(await exitCode).toBe(1);
  expect(io.err()).toContain('acp-tui: Cannot write standard output. The disk is full.\n');
});

function said(agent: FakeAgent): 'end_turn' {
  agent.say('Done.');
  return 'end_turn';
}

test('an agent that exits before the prompt is a result with what it said last', async () => {
  const lost = {kind: 'connection_lost', exit: {code: 1, signal: null}, stderrTail: 'no license'} as const;
  const args = ['hello', '--output-format', 'json'];
  const {conversation, io, exitCode} = startFake(args, async (agent) => said(agent), {lost});
  expect(await exitCode).toBe(1);
  expect(JSON.parse(io.out())).toMatchObject({error: {kind: 'connection_lost'}});
  expect(io.out()).toContain('no license');
  expect(conversation.prompts).toEqual([]);
});

const LIMITED = /^acp-tui: [^\n]+--timeout[^\n]+\n$/;

test.each([0.001, 0.05, 0.1, 0.15, 0.17, 0.2, 0.3])(
  'with --timeout %d it exits with 3, at any stage of its agent, which is a process',
  async (seconds) => {
    const agent = `--agent=sh -c 'exec "$0" "$@"' ${quoteWords([process.execPath, FAKE_AGENT, 'hangs'])}`;
    const {exitCode, stderr} = await runHere(['-p', 'x', '--timeout', `${seconds}`, agent]);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(LIMITED);
  },
);

describe('the built program', () => {
  test('with --timeout exits with 3 while its agent starts', async () => {
    const args = ['-p', 'x', '--timeout', '0.15', agentOption('hangs')];
    const {ended, stderr} = startProgram(args, {input: ''});
    expect(await ended).toEqual({exitCode: 3, signal: null});
    expect(stderr()).toMatch(LIMITED);
  });

  test.each([
    ['text', 'echo'],
    ['acp', 'echo'],
    ['stream-json', 'waits'],
    ['acp', 'waits'],
    ['acp', 'hangs'],
  ])(
    'whose %s of %s is written to a closed reader exits with 141, without a message',
    async (format, agent) => {
      const args = ['-p', 'x', '--output-format', format, agentOption(agent)];
      const {child, ended, stderr} = startProgram(args, {input: ''});
      child.stdout.destroy();
      expect(await ended).toEqual({exitCode: 141, signal: null});
      expect(stderr()).toBe('');
    },
  );
});
