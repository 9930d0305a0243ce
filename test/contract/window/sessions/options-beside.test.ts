import {expect, test} from 'vitest';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import type {BackgroundSessions} from '../../../../src/window/effects/effect-context.ts';
import {agentDefaults} from '../../conversation/conversation-defaults.ts';
import {FIRST, openWindowIn, type OpenedWindow} from '../../conversation/open-window.ts';

const REFUSAL = {kind: 'invalid_setting', problem: '"sandbox" is wrong.'} as const;
const CONFINED = {network: 'ask', networkHosts: [], sandboxSockets: 'none'} as const;
const CLOSE = {kind: 'remove_open', session: FIRST, how: 'close', sure: true} as const;

/** A window whose settings confine agents, and whose first session is not confined: so is one that is attached. Other sessions do not start. */
async function unconfinedWindow() {
  const begun: ConversationOptions[] = [];
  const background: BackgroundSessions = {
    start({options}) {
      begun.push(options);
      throw new Error('it is not started');
    },
    attach: async () => ({ok: true, value: undefined}),
    running: async () => undefined,
    reach: async () => ({ok: true, value: undefined}),
    resume: async () => ({ok: true, value: undefined}),
    resumeAtEnd: () => undefined,
  };
  const optionsForAgent = () => ({...agentDefaults, sandbox: CONFINED, refusal: REFUSAL});
  const window = await openWindowIn({background, optionsForAgent}, 'echo');
  await window.converse(FIRST, 'one');
  return {window, begun};
}

test.each<[string, (window: OpenedWindow) => void]>([
  ['is started beside it', ({sessions}) => sessions.perform({kind: 'open_beside', prompt: ''})],
  ['takes its place', ({sessions}) => sessions.perform(CLOSE)],
])('a session that %s is confined as the settings say, and has the level as it is now', async (_, open) => {
  const {window, begun} = await unconfinedWindow();
  window.sessions.clientOf(FIRST).setApproval('none');
  await window.until(() => window.session(FIRST)?.session.approval === 'none');
  open(window);
  await expect.poll(() => begun).toMatchObject([{sandbox: CONFINED, approval: 'none', refusal: REFUSAL}]);
});
