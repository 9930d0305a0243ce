import {writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {currentMode} from '../../../../src/session/selectors.ts';
import {idle, openScripted} from '../open-conversation.ts';

const update = (sessionUpdate: string, fields: Record<string, unknown> = {}): ScriptStep => ({
  update: {sessionUpdate, ...fields},
});
const text = (kind: string, words: string, fields: Record<string, unknown> = {}) =>
  update(kind, {content: {type: 'text', text: words}, ...fields});
const says = (words: string, fields: Record<string, unknown> = {}) =>
  text('agent_message_chunk', words, fields);

/** The entries after a turn with these steps, without the prompt and the end. */
async function entriesOf(steps: readonly ScriptStep[]) {
  const {prompt, until} = await openScripted({turns: [steps]});
  prompt('go');
  const {entries} = await until(idle, 'the end');
  return entries.slice(1, -1);
}

describe('messages', () => {
  const words = (entry: {readonly type: string; readonly content?: unknown}) => [
    entry.type,
    ((entry.content ?? []) as {text?: string}[]).map((block) => block.text).join(''),
  ];

  test('are joined by ID, even with other updates between', async () => {
    const entries = await entriesOf([
      says('a', {messageId: '1'}),
      says('b', {messageId: '2'}),
      update('tool_call', {toolCallId: 't', title: 'T'}),
      says('c', {messageId: '2'}),
    ]);
    expect(entries.map(words)).toEqual([
      ['agent_message', 'a'],
      ['agent_message', 'bc'],
      ['tool_call', ''],
    ]);
  });

  test('without IDs start anew after another kind or a tool call; null is no ID', async () => {
    const entries = await entriesOf([
      says('a'),
      says('b', {messageId: null}),
      text('agent_thought_chunk', 'hm'),
      says('c'),
      update('tool_call', {toolCallId: 't', title: 'T'}),
      says('d'),
    ]);
    expect(entries.map(words)).toEqual([
      ['agent_message', 'ab'],
      ['agent_thought', 'hm'],
      ['agent_message', 'c'],
      ['tool_call', ''],
      ['agent_message', 'd'],
    ]);
  });

  test.each([
    {type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo='},
    {type: 'audio', mimeType: 'audio/wav', data: 'UklGRg=='},
    {type: 'resource_link', uri: 'file:///a.pdf', name: 'a.pdf', size: 7},
    {type: 'resource', resource: {uri: 'file:///a.py', text: 'pass'}},
    {type: 'resource', resource: {uri: 'file:///a.bin', blob: 'AAAA'}},
  ])('may contain $type', async (content) => {
    expect(await entriesOf([update('agent_message_chunk', {content})])).toMatchObject([
      {type: 'agent_message', content: [content]},
    ]);
  });

  test('of the user that repeat the prompt are shown once', async () => {
    const entries = await entriesOf([text('user_message_chunk', 'go', {messageId: 'u'}), says('on')]);
    expect(entries.map(({type}) => type)).toEqual(['agent_message']);
  });

  test('outside of a turn are shown', async () => {
    const {until, said} = await openScripted({opened: [says('by the way')]});
    await until(() => said() !== '', 'the message');
    expect(said()).toBe('by the way');
  });
});

describe('tool calls', () => {
  test('are created by an update, and updated by a second tool_call', async () => {
    const entries = await entriesOf([
      update('tool_call_update', {toolCallId: 't', status: 'in_progress'}),
      update('tool_call', {toolCallId: 't', title: 'Read', kind: 'read', name: 'read_file'}),
      update('tool_call_update', {toolCallId: 't', status: 'completed', title: null}),
    ]);
    expect(entries).toMatchObject([
      {toolCallId: 't', title: 'Read', kind: 'read', name: 'read_file', status: 'completed'},
    ]);
  });

  test('have their lists replaced, not appended to', async () => {
    const content = (words: string) => [{type: 'content', content: {type: 'text', text: words}}];
    const entries = await entriesOf([
      update('tool_call', {toolCallId: 't', title: 'T', content: content('a'), locations: [{path: '/a'}]}),
      update('tool_call_update', {toolCallId: 't', content: content('b'), locations: []}),
    ]);
    expect(entries).toMatchObject([{content: content('b'), locations: []}]);
  });

  test.each([
    'read',
    'edit',
    'delete',
    'move',
    'search',
    'execute',
    'think',
    'fetch',
    'switch_mode',
    'other',
  ])('may be of the kind %s', async (kind) => {
    expect(await entriesOf([update('tool_call', {toolCallId: 't', title: 'T', kind})])).toMatchObject([
      {kind},
    ]);
  });
});

describe('plans', () => {
  const entry = (content: string, status: string) => ({content, priority: 'high', status});

  test('are replaced as a whole', async () => {
    const {prompt, until, state} = await openScripted({
      turns: [
        [
          update('plan', {entries: [entry('a', 'pending'), entry('b', 'pending')]}),
          update('plan', {entries: [entry('c', 'in_progress')]}),
          {cancelled: true},
        ],
      ],
    });
    prompt('go');
    await until(({plans}) => JSON.stringify(plans).includes('"c"'), 'the second plan');
    expect(state().plans).toHaveLength(1);
    expect(JSON.stringify(state().plans)).not.toContain('"a"');
  });

  test('with IDs are separate, in every form, and are removed by ID', async () => {
    const {prompt, until, state} = await openScripted({
      turns: [
        [
          update('plan_update', {plan: {type: 'items', id: 'i', entries: [entry('a', 'pending')]}}),
          update('plan_update', {plan: {type: 'markdown', id: 'm', content: '# Do'}}),
          update('plan_update', {plan: {type: 'file', id: 'f', uri: 'file:///plan.md'}}),
          update('plan_removed', {id: 'm'}),
          {cancelled: true},
        ],
      ],
    });
    prompt('go');
    await until(({plans}) => plans.length === 2 && plans.some(({id}) => id === 'f'), 'the plans');
    expect(state().plans.map(({id}) => id)).toEqual(['i', 'f']);
  });
});

describe('session state', () => {
  test('keeps the title when it is omitted, and clears it with null', async () => {
    const title = (fields: object) => update('session_info_update', {...fields});
    const {prompt, until, state} = await openScripted({
      turns: [[title({title: 'One'}), title({updatedAt: '2026-01-01T00:00:00Z'})], [title({title: null})]],
    });
    prompt('go');
    await until(idle, 'the end');
    expect(state().title).toBe('One');
    prompt('go');
    await until(idle, 'the end');
    expect(state().title).toBeUndefined();
  });

  test.each([{currentModeId: 'b'}, {modeId: 'b'}])("follows the agent's mode: %j", async (fields) => {
    const availableModes = ['a', 'b'].map((id) => ({id, name: id}));
    const {prompt, until, state} = await openScripted({
      session: {modes: {currentModeId: 'a', availableModes}},
      turns: [[update('current_mode_update', fields)]],
    });
    prompt('go');
    await until(idle, 'the end');
    expect(currentMode(state())?.id).toBe('b');
  });

  test('replaces commands and options as a whole', async () => {
    const commands = (...names: string[]) =>
      update('available_commands_update', {
        availableCommands: names.map((name) => ({name, description: name, input: {hint: 'x'}})),
      });
    const option = {id: 'o', name: 'O', type: 'boolean', currentValue: true};
    const {prompt, until, state} = await openScripted({
      turns: [[commands('a', 'b'), commands('c'), update('config_option_update', {configOptions: [option]})]],
    });
    prompt('go');
    await until(idle, 'the end');
    expect(state().commands.map(({name}) => name)).toEqual(['c']);
    expect(state().configOptions).toMatchObject([{id: 'o', currentValue: true}]);
  });

  test('keeps the usage with its cost', async () => {
    const {prompt, until, state} = await openScripted({
      turns: [
        [
          update('usage_update', {used: 53_000, size: 200_000, cost: {amount: 0.045, currency: 'USD'}}),
          {stop: {stopReason: 'end_turn', usage: {totalTokens: 3, inputTokens: 1, outputTokens: 2}}},
        ],
      ],
    });
    prompt('go');
    await until(idle, 'the end');
    expect(state().usage).toMatchObject({used: 53_000, size: 200_000, cost: {amount: 0.045}});
    expect(state().lastTurn?.usage).toMatchObject({totalTokens: 3});
  });
});

describe('unknown updates', () => {
  test('of an unknown kind are shown as JSON, in order', async () => {
    const entries = await entriesOf([says('a'), update('hologram', {sun: 1}), says('b')]);
    expect(entries).toMatchObject([{type: 'agent_message'}, {type: 'unknown', kind: 'hologram'}]);
    expect(JSON.stringify(entries)).toContain('sun');
  });

  test('with extra fields and _meta are accepted', async () => {
    const entries = await entriesOf([
      says('a', {_meta: {'example.com': [1]}, later: {deep: true}}),
      update('tool_call', {toolCallId: 't', title: 'T', _meta: null, later: 1}),
    ]);
    expect(entries.map(({type}) => type)).toEqual(['agent_message', 'tool_call']);
  });

  test('a turn with an unknown stop reason ends', async () => {
    const {prompt, until} = await openScripted({turns: [[says('a'), {stop: {stopReason: 'tired'}}]]});
    prompt('go');
    const {connection} = await until(idle, 'the end');
    expect(connection.kind).toBe('ready');
  });
});

describe('a plan', () => {
  const planIn = (uri: string): ScriptStep => update('plan_update', {plan: {type: 'file', planId: 'p', uri}});
  const plansOf = async (steps: readonly ScriptStep[]) =>
    (await entriesOf(steps)).map((entry) => (entry.type === 'plan' ? entry.content : entry.type));

  test('in a workspace file is the text of that file at each update', async () => {
    const {prompt, until, cwd} = await openScripted({turns: [[planIn('PLAN.md')]]});
    const planAfter = async (text: string, turn: number) => {
      writeFileSync(`${cwd}/PLAN.md`, text);
      prompt('go');
      const {entries} = await until((state) => idle(state) && state.lastTurn?.turn === turn, 'the end');
      return [...entries].findLast(({type}) => type === 'plan');
    };
    const shown = (content: string) => ({content: {type: 'markdown', planId: 'p', content}});
    expect(await planAfter('# First\n', 1)).toMatchObject(shown('`PLAN.md`\n\n# First\n'));
    expect(await planAfter('# Second\n', 2)).toMatchObject(shown('`PLAN.md`\n\n# Second\n'));
  });

  test('in a file elsewhere is named', async () => {
    expect(await plansOf([planIn('file:///etc/hostname')])).toMatchObject([{uri: 'file:///etc/hostname'}]);
  });

  test('in markdown is its text', async () => {
    const plan = {type: 'markdown', planId: 'p', content: '# First'};
    expect(await plansOf([update('plan_update', {plan})])).toEqual([plan]);
  });
});
