import {expect, test} from 'vitest';
import {passiveOptions} from '../../../../src/cli/options.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {optionsOfStart} from '../../../../src/modes/window/background-sessions.ts';
import {conversationDefaults} from '../../conversation/conversation-defaults.ts';

const CONFINED = {network: 'ask', networkHosts: [], sandboxSockets: 'none'} as const;

const agent = {label: 'first', command: 'first', args: [], env: {}};
const first: ConversationOptions = {...conversationDefaults, agent, cwd: '/work', approval: 'all'};
const other = {...first, agent: {...agent, label: 'other', byName: true}};

/** What the service is asked for. */
function asked(options: ConversationOptions, sandbox?: boolean) {
  const given = {...passiveOptions({}), approve: 'all' as const, sandbox};
  const setup = {options: {ok: true, value: first}, agentName: 'first'} as const;
  return optionsOfStart(given, setup, {options, before: undefined});
}

test('a session in the background has the level that it has in the window, whatever the command line says', () => {
  expect(asked({...first, approval: 'none'})).toMatchObject({agent: 'first', approve: 'none'});
  expect(asked({...other, approval: 'edits'})).toMatchObject({agent: 'other', approve: 'edits'});
});

test('it is confined if it is in the window', () => {
  expect(asked({...first, sandbox: CONFINED}, false).sandbox).toBe(true);
  expect(asked(other, true).sandbox).toBe(false);
});
