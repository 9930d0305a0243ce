import {expect, test} from 'vitest';
import type {ForegroundProgram} from '../../../../src/agents/foreground.ts';
import {openScripted} from '../../conversation/open-conversation.ts';
import {hasNoSandbox} from '../sandboxes.ts';

const sandbox = {network: 'none', networkHosts: [], sandboxSockets: 'none', sandboxFolders: []} as const;

test.skipIf(hasNoSandbox)(
  'a sign-in program that cannot be started in the sandbox is refused with the reason, and another method can be used',
  async () => {
    const method = (id: string, TOKEN: string) => ({id, name: id, type: 'terminal', args: [], env: {TOKEN}});
    const authMethods = [method('mounts', 'x\0--bind\0/\0/'), method('plain', 'x')];
    const started: ForegroundProgram[] = [];
    const {conversation, until, state} = await openScripted(
      {initialize: {authMethods, agentCapabilities: {loadSession: true}}},
      {
        sandbox,
        foreground: async (program) => {
          started.push(program);
          return {ok: true, value: {code: 0, signal: null}};
        },
      },
    );
    const signInBy = async (id: string) => {
      const signedIn = conversation.authenticate(id);
      const [asked] = (await until(({pending}) => pending.length > 0, 'the question')).pending;
      void conversation.answer(asked?.id ?? '', {kind: 'option', index: 0});
      return signedIn;
    };
    expect(await signInBy('mounts')).toMatchObject({
      ok: false,
      failure: {why: 'a variable or path has a NUL character, which no program can get'},
    });
    expect([started.length, state().connection.kind]).toEqual([0, 'ready']);
    expect(await signInBy('plain')).toEqual({ok: true, value: undefined});
    expect([started.length, state().connection.kind]).toEqual([1, 'ready']);
  },
);
