import {describe, expect, test} from 'vitest';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {messageText} from '../../../../src/session/selectors.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {restoredSession} from '../../../../src/session/lifecycle/opening.ts';
import {conversation, playConversation, origin, storeIn, turn, valueOf} from '../stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const at = 5_000;
const chunk = (kind: 'user' | 'agent', text: string): SessionEvent => ({
  type: 'session_update',
  update: {sessionUpdate: `${kind}_message_chunk`, messageId: text, content: {type: 'text', text}},
  at,
});

/** What an agent replays when it loads the session: more than is stored. */
const replayedAgain: readonly SessionEvent[] = [
  {type: 'replay_started', at},
  chunk('user', 'about parsers'),
  chunk('agent', 'Parsers are fun'),
  chunk('user', 'about the sky'),
  chunk('agent', 'It is blue'),
  chunk('user', 'Said elsewhere'),
  chunk('agent', 'Answered elsewhere'),
  {
    type: 'session_opened',
    session: {sessionId: 'agent-session', cwd: '/project', additionalDirectories: []},
    how: 'load',
    at,
  },
  {type: 'connection_changed', connection: {kind: 'ready'}, at},
];

/** A shell command with its output. */
const ownCommand: readonly SessionEvent[] = [
  {
    type: 'terminal_created',
    terminalId: 'own-1',
    command: 'ls',
    cwd: '/project',
    pty: false,
    runBy: 'user',
    at,
  },
  {type: 'terminal_output', terminalId: 'own-1', data: 'parser.ts\n', at},
  {type: 'terminal_exited', terminalId: 'own-1', exit: {code: 0, signal: null}, at},
];

const texts = ({entries}: SessionState) =>
  entries.map((entry) =>
    'content' in entry && entry.type.endsWith('message') ? messageText(entry as never) : entry.type,
  );

/** A session that is stored, resumed, and replayed by its agent. */
async function goneOn() {
  const store = storeIn(temporaryFolder());
  const first = valueOf(store.record(origin));
  const said = conversation([['about parsers', 'Parsers are fun']]);
  playConversation(first, [...said, ...ownCommand, ...turn(2, 'about the sky', 'It is blue')]);
  first.close();
  const id = first.id() ?? '';
  const session = restoredSession(valueOf(await store.state(id)), at);
  const again = valueOf(store.record({...origin, continues: id, restoredAt: at}));
  const lived = playConversation(again, [...replayedAgain, ...turn(3, 'and then', 'The end')], session);
  again.close();
  return {store, id, lived};
}

describe('a session replayed by its agent', () => {
  test('is found in the right places', async () => {
    const {store, id, lived} = await goneOn();
    const state = valueOf(await store.state(id));
    expect(state).toEqual(lived);
    for (const words of ['parsers', 'sky', 'blue', 'elsewhere', 'end']) {
      const hits = valueOf(store.search(words)).filter(({entry}) => entry !== undefined);
      expect(hits).not.toEqual([]);
      for (const {entry = -1} of hits) {
        const found = state.entries.get(entry);
        const text = found && 'content' in found ? messageText(found as never) : '';
        expect(text.toLowerCase()).toContain(words);
      }
    }
  });

  test("keeps the user's shell commands in their places, with their output", async () => {
    const {store, id} = await goneOn();
    const state = valueOf(await store.state(id));
    const order = texts(state).filter((text) => text !== 'turn_end');
    expect(order.slice(order.indexOf('Parsers are fun'), order.indexOf('Answered elsewhere') + 1)).toEqual([
      'Parsers are fun',
      'shell_command',
      'about the sky',
      'It is blue',
      'Said elsewhere',
      'Answered elsewhere',
    ]);
    const own = state.entries.find((entry) => entry.type === 'shell_command');
    expect(own).toMatchObject({command: 'ls'});
    expect(state.terminals.get('own-1')).toMatchObject({output: 'parser.ts\n', exit: {code: 0}});
  });
});
