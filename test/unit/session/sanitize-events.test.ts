import {cursorsOf} from '../../../src/session/lifecycle/live.ts';
import {describe, expect, it, test} from 'vitest';
import {currentMode, messageText, modeChoices, toolCall} from '../../../src/session/selectors.ts';
import {
  callUpdate,
  calls,
  reduceEvents,
  newSession,
  only,
  opened,
  prompted,
  says,
  text,
  reduceUpdates,
} from '../../support/session/build.ts';

const OSC = '\u001b]52;c;cm0gLXJmIH4=\u0007';
const RED = '\u001b[31m';

/** Every string in a value, and every key. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).concat(Object.values(value).flatMap(strings));
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test('the ID of a cursor is kept, since it is sent back', () => {
  const session = reduceUpdates(opened, {sessionUpdate: 'cursor_update', cursorId: `k${RED}`});
  expect([...cursorsOf(session).keys()]).toEqual([`k${RED}`]);
});

describe('text of an agent', () => {
  it('controls nothing, wherever in an update it is', () => {
    const evil = `${OSC}${RED}evil\u202e`;
    const session = reduceEvents(
      reduceUpdates(
        reduceEvents(opened, prompted(evil)),
        says(evil),
        {sessionUpdate: 'agent_thought_chunk', content: text(evil)},
        {
          sessionUpdate: 'agent_message_chunk',
          content: {type: 'resource_link', name: evil, uri: evil, title: evil, _meta: {[evil]: evil}},
        },
        calls('t', {
          title: evil,
          name: evil,
          content: [
            {type: 'diff', path: evil, oldText: evil, newText: evil},
            {type: 'content', content: text(evil)},
          ],
          locations: [{path: evil}],
          rawInput: {id: evil, value: [evil], data: {[evil]: evil}},
          rawOutput: evil,
        }),
        {sessionUpdate: 'plan', entries: [{content: evil, priority: 'low', status: 'completed'}]},
        {sessionUpdate: 'notice', severity: 'info', title: evil, description: evil},
        {sessionUpdate: 'session_info_update', title: evil},
        {sessionUpdate: 'usage_update', used: 1, size: 2, cost: {amount: 1, currency: evil}},
        {sessionUpdate: 'compaction_update', compactionId: 'c', status: evil, error: evil},
        {sessionUpdate: 'subagent_update', sessionId: 's', title: evil, description: evil},
        {sessionUpdate: 'session_message', messageId: 'm', content: [text(evil)]},
        {sessionUpdate: '_unknown', kind: evil, json: evil},
      ),
      {
        type: 'agent_initialized',
        response: {protocolVersion: 1, agentInfo: {name: evil, version: evil, title: evil}},
        fallbackName: evil,
      },
      {
        type: 'permission_requested',
        id: 'p',
        request: {
          sessionId: 's1',
          toolCall: {toolCallId: 't', title: evil, rawInput: {value: evil}},
          options: [{optionId: 'o', name: evil, kind: 'allow_once'}],
        },
        raw: evil,
      },
      {type: 'terminal_created', terminalId: 'x', command: evil, cwd: evil, pty: true},
      {type: 'terminal_output', terminalId: 'x', data: evil},
      {type: 'cancel_requested'},
    );
    const {carry: _carry, ...ours} = session.terminals.get('x') ?? {carry: ''};
    const shown = strings({...session, terminals: ours});
    expect(shown.some((string) => string.includes('evil'))).toBe(true);
    expect(shown.filter((string) => CONTROL.test(string))).toEqual([]);
  });

  it('controls nothing when a sequence is split in two', () => {
    const session = reduceUpdates(opened, says('a\u001b'), says('[31'), says('mb'));
    expect(messageText(only(session, 'agent_message'))).toBe('ab');
  });

  it('keeps a character that is split in two', () => {
    const session = reduceUpdates(opened, says('\ud83d'), says('\ude00'));
    expect(messageText(only(session, 'agent_message'))).toBe('😀');
  });

  it('shows the start of a sequence that never ends', () => {
    const session = reduceUpdates(opened, says('a\u001b['), calls('t'));
    expect(messageText(only(session, 'agent_message'))).toBe('a␛[');
  });

  it('does not hide forever what only looks like the start of a sequence', () => {
    const session = reduceUpdates(opened, says('\u001b]0;'), says('words '.repeat(1000)));
    expect(messageText(only(session, 'agent_message'))).toContain('words words');
  });
});

describe('what is sent back to the agent', () => {
  const odd = `${RED}id\u202e`;

  it('is unchanged', () => {
    const session = reduceEvents(
      reduceUpdates(opened, calls(odd, {content: [{type: 'terminal', terminalId: odd}]})),
      {
        type: 'permission_requested',
        id: 'p',
        request: {
          sessionId: 's1',
          toolCall: {toolCallId: odd},
          options: [{optionId: odd, name: 'Yes', kind: 'allow_once'}],
        },
      },
      newSession(odd, {modes: {currentModeId: odd, availableModes: [{id: odd, name: 'Odd'}]}}),
    );
    expect(session.sessionId).toBe(odd);
    expect(currentMode(session)).toEqual({id: odd, name: 'Odd'});
    expect(only(session, 'tool_call')).toMatchObject({
      toolCallId: odd,
      content: [{type: 'terminal', terminalId: odd}],
    });
  });

  it('has a displayable name even if it has only an ID', () => {
    const session = reduceEvents(
      opened,
      newSession('s', {modes: {currentModeId: odd, availableModes: [{id: odd, name: ''}]}}),
    );
    expect(modeChoices(session)).toEqual([{id: odd, name: 'id\ufffd'}]);
  });

  it('is not offered if it is a command with a name that cannot be shown', () => {
    const availableCommands = [odd, 'fine'].map((name) => ({name, description: RED}));
    const session = reduceUpdates(opened, {sessionUpdate: 'available_commands_update', availableCommands});
    expect(session.commands.map(({name}) => name)).toEqual(['fine']);
    expect(session.commands[0]?.description).toBe('');
  });
});

describe('what is not text', () => {
  it('is unchanged: images and audio', () => {
    const picture = {type: 'image', mimeType: 'image/png', data: '\u0001'} as const;
    const session = reduceUpdates(opened, {sessionUpdate: 'agent_message_chunk', content: picture});
    expect(only(session, 'agent_message').content).toEqual([picture]);
  });

  it('is unchanged: local folders', () => {
    const session = reduceEvents(
      opened,
      newSession('s', {cwd: '/odd\u0001', additionalDirectories: ['/\u0002']}),
    );
    expect(session).toMatchObject({cwd: '/odd\u0001', additionalDirectories: ['/\u0002']});
  });

  it('is cut if it is nested too deeply', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
    const session = reduceUpdates(opened, calls('t', {rawInput: {deep}}), callUpdate('t', {rawOutput: deep}));
    expect(() => JSON.stringify(toolCall(session, 't'))).not.toThrow();
  });
});
