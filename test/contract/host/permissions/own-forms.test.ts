import {describe, expect, test} from 'vitest';
import {createPendingElicitations} from '../../../../src/host/elicitation/pending-elicitations.ts';
import {newTextField} from '../../../../src/session/forms/form-schema.ts';
import {useHosts} from '../hosts.ts';

const {setUp} = useHosts();
const fields = [newTextField({id: 'API_KEY', label: 'API_KEY', secret: true})];

describe("a form of acp-tui's own", () => {
  test('is undefined without a user', async () => {
    const {host} = setUp({hasUser: false});
    expect(await host.askForm({message: 'The key', fields})).toBeUndefined();
  });

  test('is cancelled with everything that waits', async () => {
    const {host} = setUp();
    const answer = host.askForm({message: 'The key', fields});
    host.cancelPending();
    expect(await answer).toBeUndefined();
  });

  test('passes its secrets on and shows them nowhere else', async () => {
    const reported: unknown[] = [];
    let id = '';
    const desk = createPendingElicitations({
      requested: (asked) => (id = asked),
      resolved: (...args) => reported.push(...args),
      completed: () => undefined,
    });
    const never = new AbortController().signal;
    const settled = desk.ask(
      {mode: 'form', message: 'The key', fields, asker: 'acp-tui'},
      {withdrawn: never, cancelled: never},
    );
    desk.answer(id, {kind: 'accepted', content: {API_KEY: 'hunter2'}});
    expect((await settled).content).toEqual({API_KEY: 'hunter2'});
    expect(reported).toEqual([id, 'accepted', [{label: 'API_KEY', isSecret: true}]]);
  });
});
