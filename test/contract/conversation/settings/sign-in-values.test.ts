import {describe, expect, test} from 'vitest';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {openCredentials} from '../../../../src/storage/credentials/credentials.ts';
import type {FormContent} from '../../../../src/session/forms/form-schema.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {memoryKeyring} from '../../storage/memory-keyring.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {needsSignIn} from '../requests/open-sign-in.ts';
import {idle, makeConversation, type OpenedConversation} from '../open-conversation.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';

const KEEP = 'save them';
const formIn = ({pending}: SessionState) => pending.find(({kind}) => kind === 'form');

interface Keys extends OpenedConversation {
  /** Selects the method and answers its form; undefined cancels it. */
  readonly signIn: (content: FormContent | undefined) => Promise<void>;
  readonly count: (method: string) => number;
  readonly keyring: ReturnType<typeof memoryKeyring>;
  readonly state: () => SessionState;
}

/** Clients with one state folder share what is saved. */
function makePlace() {
  const [folder, keyring] = [temporaryFolder(), memoryKeyring()];
  return {
    keyring,
    async open(
      options: Partial<ConversationOptions> = {},
      env: Readonly<Record<string, string>> = {},
    ): Promise<Keys> {
      const agent = {
        label: 'fake',
        command: process.execPath,
        args: [FAKE_AGENT, 'sign-in', `${folder}/none`],
        env,
      };
      const credentials = openCredentials({state: folder, keyring, onValue: () => {}});
      const made = makeConversation([], {agent, credentials, ...options});
      await made.conversation.open();
      return {
        ...made,
        keyring,
        count: (method) => made.sent().filter((message) => message.method === method).length,
        async signIn(content) {
          const done = made.conversation.authenticate('key');
          const {id} = formIn(await made.until((state) => formIn(state) !== undefined, 'the form')) ?? {
            id: '',
          };
          void made.conversation.answer(id, content ? {kind: 'accepted', content} : {kind: 'cancelled'});
          await done;
        },
      };
    },
  };
}

async function say({prompt, until, said}: Keys, text: string): Promise<string> {
  prompt(text);
  await until(idle, 'the end of the turn');
  return said();
}

describe('sign-in values', () => {
  test('are asked for, and the agent restarts with them', async () => {
    const keys = await makePlace().open();
    const before = keys.conversation.authenticate('key');
    const form = formIn(await keys.until((state) => formIn(state) !== undefined, 'the form'));
    expect(form).toMatchObject({
      message: expect.stringContaining('"API key"'),
      description: expect.stringContaining('https://example.com/keys'),
      fields: [
        {id: 'FAKE_KEY', label: 'Key', secret: true, required: true},
        {id: 'FAKE_ENDPOINT', label: 'Endpoint', required: false},
        {id: KEEP, type: 'boolean', default: false},
      ],
    });
    expect(form?.kind === 'form' && form.fields[1]?.secret).toBeFalsy();
    const content = {FAKE_KEY: 'right', FAKE_ENDPOINT: 'https://here'};
    void keys.conversation.answer(form?.id ?? '', {kind: 'accepted', content});
    await before;
    expect(keys.state().connection.kind).toBe('ready');
    expect(keys.count('initialize')).toBe(2);
    expect(keys.count('authenticate')).toBe(1);
    expect(await say(keys, 'hello')).toBe('heard hello, with https://here');
  });

  test('that are wrong are asked for again with the reason, keeping what was typed', async () => {
    const keys = await makePlace().open();
    await keys.signIn({FAKE_KEY: 'wrong', FAKE_ENDPOINT: 'https://here'});
    expect(keys.state().connection).toMatchObject({
      kind: 'authentication_required',
      problem: expect.stringContaining('the key is not valid'),
    });
    await keys.signIn({FAKE_KEY: 'right'});
    expect(await say(keys, 'hello')).toBe('heard hello, with https://here');
  });

  test('that are dismissed change nothing', async () => {
    const keys = await makePlace().open();
    await keys.signIn(undefined);
    expect(needsSignIn(keys.state())).toBe(true);
    expect(keys.count('initialize')).toBe(1);
  });

  test('never appear on the wire, in the state or in the log', async () => {
    const keys = await makePlace().open();
    await keys.signIn({FAKE_KEY: 'right', [KEEP]: true});
    await say(keys, 'hello');
    for (const place of [keys.sent(), keys.state(), [...keys.state().entries], keys.log])
      expect(JSON.stringify(place)).not.toMatch(/"right"|=right/);
  });

  test('are loaded in a later run if saved, and the method is sent to the agent', async () => {
    const place = makePlace();
    const first = await place.open();
    await first.signIn({FAKE_KEY: 'right', FAKE_ENDPOINT: 'https://kept', [KEEP]: true});
    const later = await place.open();
    expect(later.state().connection.kind).toBe('ready');
    expect(await say(later, 'hello')).toBe('heard hello, with https://kept');
    const unattended = await place.open({hasUser: false});
    expect(unattended.state().connection.kind).toBe('ready');
  });

  test('that are saved rank below --env', async () => {
    const place = makePlace();
    const first = await place.open();
    await first.signIn({FAKE_KEY: 'right', FAKE_ENDPOINT: 'https://kept', [KEEP]: true});
    const later = await place.open({}, {FAKE_ENDPOINT: 'https://given'});
    expect(await say(later, 'hello')).toBe('heard hello, with https://given');
  });

  test('that are not saved are gone in the next run', async () => {
    const place = makePlace();
    await (await place.open()).signIn({FAKE_KEY: 'right'});
    expect(place.keyring.secrets.size).toBe(0);
    expect(needsSignIn((await place.open()).state())).toBe(true);
  });

  test('cannot be saved without a keyring, which is reported', async () => {
    const place = makePlace();
    place.keyring.broken = true;
    const keys = await place.open();
    void keys.conversation.authenticate('key');
    const form = formIn(await keys.until((state) => formIn(state) !== undefined, 'the form'));
    expect(form).toMatchObject({
      description: expect.stringContaining('it is locked'),
      fields: [{id: 'FAKE_KEY'}, {id: 'FAKE_ENDPOINT'}],
    });
  });

  test('are deleted by /logout, and the agent starts without them', async () => {
    const place = makePlace();
    const keys = await place.open();
    await keys.signIn({FAKE_KEY: 'right', [KEEP]: true});
    await keys.conversation.logOut();
    expect(needsSignIn(keys.state())).toBe(true);
    expect(place.keyring.secrets.size).toBe(0);
    expect(needsSignIn((await place.open()).state())).toBe(true);
  });

  test('from the environment need no question when the method was given at the start', async () => {
    const place = makePlace();
    for (const hasUser of [true, false]) {
      const named = await place.open({authMethod: 'key', hasUser}, {FAKE_KEY: 'right'});
      expect(named.state().connection.kind).toBe('ready');
    }
    const without = await place.open({authMethod: 'key', hasUser: false});
    expect(without.state().connection).toMatchObject({
      kind: 'failed',
      failure: {kind: 'sign_in_failed', problem: 'it needs --env FAKE_KEY=…'},
    });
  });
});
