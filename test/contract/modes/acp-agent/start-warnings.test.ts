import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {says} from '../../service/open-service.ts';
import {openHome, scripted} from './open-editor.ts';

const asking = {id: 'default', name: 'Manual', description: 'Always ask before making changes'};
const deciding = {id: 'auto', name: 'Auto', description: 'Claude handles permission decisions'};
/** An agent that starts in a mode in which it asks less than it could. */
const decides = (...availableModes: readonly (typeof asking)[]) =>
  scripted({
    initialize: {agentCapabilities: {loadSession: true}},
    session: {modes: {currentModeId: deciding.id, availableModes}},
    results: {'session/set_mode': {}},
    turns: [[says('Done')]],
  });
type Told = Awaited<ReturnType<Awaited<ReturnType<typeof openHome>>['editor']>>;
const warnings = ({updates}: Told) =>
  updates.map(({update}) => JSON.stringify(update)).filter((update) => update.includes('asks less than'));

test.each([
  ['a notice', {session: {notices: {}}}, '"severity":"warning"'],
  ['text', {}, 'agent_message_chunk'],
])(
  'an editor gets %s if the agent asks less than it could, once, and when it is loaded',
  async (_, capabilities, what) => {
    const {editor, cwd} = await openHome();
    const got = await editor({args: ['--agent', decides(asking, deciding)], capabilities});
    const {sessionId} = await got.open();
    await got.prompt(sessionId, 'go');
    expect(warnings(got)).toEqual([
      expect.stringMatching(`${what}.*in the mode Auto.*asks less than in Manual;`),
    ]);
    const other = await editor({capabilities});
    await other.agent.request('session/load', {sessionId, cwd, mcpServers: []});
    expect(warnings(other)).toEqual(warnings(got));
    await other.agent.request('session/set_mode', {sessionId, modeId: 'default'});
    const last = await editor({capabilities});
    await last.agent.request('session/load', {sessionId, cwd, mcpServers: []});
    expect(warnings(last)).toEqual([]);
  },
);

test('an editor gets nothing of a mode that the settings have chosen', async () => {
  const {editor} = await openHome();
  const capabilities = {session: {notices: {}}};
  const args = ['--agent', decides(asking, deciding), '--mode', 'auto'];
  const got = await editor({args, capabilities});
  await got.prompt((await got.open()).sessionId, 'go');
  expect([warnings(got), got.text('agent_message_chunk')]).toEqual([[], 'Done']);
});

test('an editor is told of an agent that asks less than in its mode before', async () => {
  const agentIn = (mode: typeof asking) => ({agents: {mine: {command: decides(mode)}}, agent: 'mine'});
  const {editor, env} = await openHome(agentIn({...asking, id: 'auto'}));
  const first = await editor();
  await first.open();
  writeFileSync(join(env['ACP_TUI_CONFIG_DIR'] ?? '', 'config.json'), JSON.stringify(agentIn(deciding)));
  const second = await editor();
  await second.open();
  await expect
    .poll(() => warnings(second))
    .toEqual([expect.stringContaining('asks less than in Manual, its mode before')]);
  expect(warnings(first)).toEqual([]);
});
