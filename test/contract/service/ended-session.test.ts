import {expect, test} from 'vitest';
import type {RewindPoint} from '../../../src/session/rewind.ts';
import {openService} from './open-service.ts';

test.each(['the service', 'the session'])(
  'what cannot fail returns nothing when %s has ended',
  async (ended) => {
    const {start, attach, client, service} = await openService({turns: []});
    const id = await start();
    const window = await attach(id);
    const {actions} = window;
    await (ended === 'the service' ? service.end() : (await client()).stop(id));
    await window.until(({connection}) => connection.kind === 'closed');
    for (const name of ['limitUses', 'sessionGrants', 'rewindPoints', 'listMcpServers'] as const)
      expect([name, await actions[name]()]).toEqual([name, []]);
    expect(await actions.stderrTail()).toBe('');
    expect(await actions.planUndo()).toBeUndefined();
    expect(await actions.askUser({title: 'Commit?', text: '', yes: 'Yes', no: 'No'})).toBeUndefined();
    expect(await actions.review({kind: 'session'})).toEqual({
      ok: false,
      why: expect.stringContaining('has ended'),
    });
    const point: RewindPoint = {
      kind: 'prompt',
      turn: 1,
      text: '',
      at: 0,
      snapshot: undefined,
      changed: undefined,
    };
    expect(await actions.planRewind(point)).toMatchObject({
      point,
      problem: expect.stringContaining('has ended'),
      files: [],
      uncovered: [],
    });
  },
);

test('an action of a session that has ended fails with what to do', async () => {
  const {start, attach, client} = await openService({turns: []});
  const id = await start('go');
  const window = await attach(id);
  await (await client()).stop(id);
  expect(await window.actions.renameSession('x')).toMatchObject({
    ok: false,
    failure: {why: 'it has ended; resuming it opens it again'},
  });
});

test('an action that fails for an internal reason says so, and not that the service has ended', async () => {
  const options = {
    limits: {dayCost: 1},
    usageToday(): never {
      throw new Error('a part is missing');
    },
  };
  const {start, client, log} = await openService({turns: []}, {options});
  const id = await start();
  const problem = {ok: false, failure: {kind: 'internal', problem: 'a part is missing'}};
  expect(await (await client()).call({key: id, action: 'limitUses', args: []})).toEqual(problem);
  expect(log.join()).toContain('limitUses: Error: a part is missing');
});
