import {describe, expect, test} from 'vitest';
import type {Result} from '../../../../src/shared/failure.ts';
import {configOption, optionValueName} from '../../../../src/session/settings/options.ts';
import {currentMode, currentModel} from '../../../../src/session/selectors.ts';
import {idle, openConversation, type OpenedConversation} from '../open-conversation.ts';

/** How each kind of agent sets a level, and what is shown of it. */
const KINDS = {
  options: {
    set: ({conversation}: OpenedConversation, value: string) => conversation.setConfigOption('level', value),
    shown: ({state}: OpenedConversation) => configOption(state(), 'level')?.currentValue,
  },
  modes: {
    set: ({conversation}: OpenedConversation, value: string) => conversation.setMode(value),
    shown: ({state}: OpenedConversation) => currentMode(state())?.id,
  },
  models: {
    set: ({conversation}: OpenedConversation, value: string) => conversation.setModel(value),
    shown: ({state}: OpenedConversation) => currentModel(state())?.id,
  },
};

async function held(kind: keyof typeof KINDS) {
  const opened = await openConversation(['held-settings', kind]);
  const {set, shown} = KINDS[kind];
  return {
    ...opened,
    set: (value: string): Promise<Result<void>> => set(opened, value),
    shown: () => shown(opened),
    say: async (text: string): Promise<void> => {
      opened.prompt(text);
      await opened.until(idle, `the end of ${text}`);
    },
  };
}

describe.each(['options', 'modes', 'models'] as const)('a pending change (%s)', (kind) => {
  test('is shown at once, and stays when accepted', async () => {
    const {set, shown, say} = await held(kind);
    const change = set('high');
    expect(shown()).toBe('high');
    await say('accept');
    expect(await change).toEqual({ok: true, value: undefined});
    expect(shown()).toBe('high');
  });

  test('is rolled back when rejected', async () => {
    const {set, shown, say} = await held(kind);
    const change = set('high');
    await say('refuse');
    expect(await change).toMatchObject({ok: false, failure: {kind: 'agent_error'}});
    expect(shown()).toBe('low');
  });

  test('is not lost to the response of an earlier one', async () => {
    const {set, shown, say} = await held(kind);
    const changes = [set('mid'), set('high')];
    await say('accept');
    await changes[0];
    expect(shown()).toBe('high');
    await say('refuse');
    await changes[1];
    expect(shown()).toBe('mid');
  });

  test('rolls back when two are rejected, and stays when only the first is', async () => {
    const {set, shown, say} = await held(kind);
    const both = [set('mid'), set('high')];
    await say('refuse');
    await both[0];
    expect(shown()).toBe('high');
    await say('refuse');
    await both[1];
    expect(shown()).toBe('low');
    const second = [set('mid'), set('high')];
    await say('refuse');
    await say('accept');
    await Promise.all(second);
    expect(shown()).toBe('high');
  });
});

describe.each(['options', 'modes'] as const)('a change by the agent meanwhile (%s)', (kind) => {
  test("stays when the user's change is rejected", async () => {
    const {set, shown, say} = await held(kind);
    const change = set('high');
    await say('tell mid');
    expect(shown()).toBe('mid');
    await say('refuse');
    await change;
    expect(shown()).toBe('mid');
  });
});

describe('config options', () => {
  test('changed at the same time do not undo each other', async () => {
    const {conversation, set, shown, say, state} = await held('options');
    const web = conversation.setConfigOption('web', true);
    const level = set('high');
    await say('accept');
    await web;
    expect(shown()).toBe('high');
    await say('refuse');
    await level;
    expect(shown()).toBe('low');
    expect(configOption(state(), 'web')?.currentValue).toBe(true);
  });

  test("show the agent's value when it answers with another one", async () => {
    const {set, shown, say} = await held('options');
    const change = set('high');
    await say('keep');
    expect(await change).toMatchObject({ok: true});
    expect(shown()).toBe('low');
  });

  test("stay when the agent's response lacks the list", async () => {
    const {set, say, state} = await held('options');
    const change = set('high');
    await say('bare');
    expect(await change).toMatchObject({ok: true});
    expect(state().configOptions?.map(optionValueName)).toEqual(['high', 'off']);
  });
});
