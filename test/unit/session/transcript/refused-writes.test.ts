import {describe, expect, test} from 'vitest';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {initialSession} from '../../../../src/session/initial.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {reduceEvents, opened, subagent, update, updateOf} from '../../../support/session/build.ts';

const sandbox = {
  writable: ['/work', '/home/me/.my-agent/'],
  hosts: [],
  network: 'ask',
  sandboxSockets: 'none',
} as const;

const at = 0;
const inSandbox = reduce(initialSession({cwd: '/work', additionalDirectories: [], at}), {
  type: 'sandbox_changed',
  sandbox,
  at,
});

/** The call after an update that ends it. */
function ended(changes: Omit<acp.ToolCallUpdate, 'toolCallId'>, state: SessionState = inSandbox) {
  const change = {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'a',
    kind: 'execute',
    status: 'failed',
    ...changes,
  } as const;
  const {entries} = reduce(state, {type: 'session_update', update: change, at} as never);
  return entries.find((entry) => entry.type === 'tool_call');
}

const text = (value: string) => [{type: 'content' as const, content: {type: 'text' as const, text: value}}];

describe('a write that the sandbox refused is known from', () => {
  test.each([
    ["touch: cannot touch '/etc/x': Read-only file system", '/etc/x'],
    ['mkdir: cannot create directory ‘/opt/my app’: Read-only file system', '/opt/my app'],
    ["mv: cannot move 'a' to '/etc/b': Read-only file system", '/etc/b'],
    ['sh: 1: cannot create /etc/x: Read-only file system', '/etc/x'],
    ['/bin/bash: line 1: /etc/x: Read-only file system', '/etc/x'],
    ['tee: /etc/x: Read-only file system', '/etc/x'],
    ["OSError: [Errno 30] Read-only file system: '/etc/x'", '/etc/x'],
    ["Error: EROFS: read-only file system, open '/etc/x'", '/etc/x'],
    ["Error: EROFS: read-only file system, rename '/work/a' -> '/etc/x'", '/etc/x'],
    ['open /etc/x: read-only file system', '/etc/x'],
    ['java.io.FileNotFoundException: /etc/x (Read-only file system)', '/etc/x'],
    ['rsync: mkstemp "/etc/.x" failed: Read-only file system (30)', '/etc/.x'],
    ['touch: /etc/x: Operation not permitted', '/etc/x'],
    ["\u001B[31mtouch: cannot touch '/etc/x'\u001B[0m: Read-only file system", '/etc/x'],
    ["touch: cannot touch '/work-2/x': Read-only file system", '/work-2/x'],
  ])('%s', (output, path) => {
    expect(ended({content: text(`first\n${output}\nlast`)})).toMatchObject({refusedWrites: [path]});
  });

  test('its raw output, if that is all there is', () => {
    const rawOutput = {stdout: '', stderr: "touch: cannot touch '/etc/x': Read-only file system"};
    expect(ended({rawOutput})).toMatchObject({refusedWrites: ['/etc/x']});
  });

  test('the output of a subagent, which is in the same sandbox', () => {
    const began = reduceEvents(
      opened,
      {type: 'sandbox_changed', sandbox},
      update(subagent('child', {state: {state: 'running'}})),
      updateOf('child', {
        sessionUpdate: 'tool_call',
        toolCallId: 'call',
        title: 'Write',
        kind: 'edit',
        status: 'failed',
        content: text("EROFS: read-only file system, open '/etc/x'"),
      }),
    );
    expect(began.subagents['child']?.session.entries.slice()).toMatchObject([{refusedWrites: ['/etc/x']}]);
  });

  test("the output of acp-tui's own terminal", () => {
    const events = [
      {type: 'terminal_created', terminalId: 't', command: 'x', cwd: '/work', pty: true, at},
      {type: 'terminal_output', terminalId: 't', data: 'sh: 1: cannot create /etc/x: Read-only ', at},
      {type: 'terminal_output', terminalId: 't', data: 'file system\r\n', at},
    ] as const;
    const state = events.reduce(reduce, inSandbox);
    const content = [{type: 'terminal' as const, terminalId: 't'}];
    expect(ended({content}, state)).toMatchObject({refusedWrites: ['/etc/x']});
  });
});

describe('no refused write is claimed', () => {
  const output = "touch: cannot touch '/etc/x': Read-only file system";

  test.each([
    ["touch: cannot touch '/work/.git/hooks/x': Read-only file system"],
    ["touch: cannot touch '/home/me/.my-agent/x': Read-only file system"],
    ["touch: cannot touch '/tmp/x': Read-only file system"],
    ["touch: cannot touch 'x': Read-only file system"],
    ["touch: cannot touch '/etc/x': Permission denied"],
    ['grep: /etc/x: No such file or directory\nRead-only file system'],
  ])('for %s', (other) => {
    expect(ended({content: text(other)})).not.toHaveProperty('refusedWrites');
  });

  test('without a sandbox', () => {
    const without = initialSession({cwd: '/work', additionalDirectories: [], at});
    expect(ended({content: text(output)}, without)).not.toHaveProperty('refusedWrites');
  });

  test('before the call has ended', () => {
    expect(ended({content: text(output), status: 'in_progress'})).not.toHaveProperty('refusedWrites');
  });

  test('for what a file says', () => {
    const content = text(output);
    expect(ended({kind: 'read', status: 'completed', content})).not.toHaveProperty('refusedWrites');
    expect(ended({kind: 'execute', status: 'completed', content})).toHaveProperty('refusedWrites');
  });
});

test('only the end of a long output is read, and a few paths are named', () => {
  const refused = (path: string) => `touch: ${path}: Read-only file system\n`;
  const many = ['/a', '/b', '/b', '/c', '/d'].map(refused).join('');
  const long = refused('/first') + 'x'.repeat(70_000) + '\n' + many;
  expect(ended({content: text(long)})).toMatchObject({refusedWrites: ['/a', '/b', '/c']});
});
