import type * as acp from '@agentclientprotocol/sdk/unstable';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {choose} from '../../../support/program/editor-client.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {asks, says} from '../../service/open-service.ts';
import {openHome, scenario, scripted} from './open-editor.ts';

const FORM: acp.ElicitationSchema = {
  type: 'object',
  properties: {
    color: {
      type: 'string',
      title: 'Color',
      oneOf: [
        {const: 'r', title: 'Red'},
        {const: 'b', title: 'Blue', description: 'Like the sky'},
      ],
    },
    count: {type: 'integer', title: 'How many', minimum: 1},
    sure: {type: 'boolean', title: 'Sure?'},
    sizes: {type: 'array', title: 'Sizes', items: {anyOf: [{const: 's', title: 'S', description: 'Small'}]}},
  },
  required: ['color'],
};

const elicits = (more: object): readonly ScriptStep[] => [
  {
    ask: 'form',
    method: 'elicitation/create',
    params: {sessionId: '$session', message: 'Which one?', ...more},
  },
  {answered: 'form'},
  {update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: '$form.action'}}},
];

/** Requests for a tool call. */
const requests = (call: object, times = 1): readonly ScriptStep[] =>
  Array.from({length: times}, (_, index): readonly ScriptStep[] => {
    const [ask, answered] = asks(String(index)) as [
      {readonly params: {readonly toolCall: object}} & Extract<ScriptStep, {readonly ask: unknown}>,
      ScriptStep,
    ];
    const {params} = ask;
    return [{...ask, params: {...params, toolCall: {...params.toolCall, ...call}}}, answered];
  }).flat();

test('what a rule decides never reaches the editor, and what it does not is asked', async () => {
  const {editor, cwd} = await openHome({permissions: {allow: ['edit ./allowed.txt']}});
  const {open, prompt, asked} = await editor({
    args: ['--agent', scenario('fs')],
    permit: choose('Reject'),
  });
  const {sessionId} = await open();
  await prompt(sessionId, `write ${join(cwd, 'allowed.txt')} text`);
  await prompt(sessionId, `write ${join(cwd, 'other.txt')} text`);
  expect(readFileSync(join(cwd, 'allowed.txt'), 'utf8')).toBe('text');
  expect(asked).toHaveLength(1);
});

const ALLOWS = {type: 'command', command: `printf '{"decision": "allow"}'`};

test.each<[string, readonly string[], object]>([
  ['--approve', ['--approve', 'all'], {}],
  ['--approve, without the service,', ['--approve', 'all', '--no-background'], {}],
  ['a hook', [], {hooks: {PermissionRequest: [{hooks: [ALLOWS]}]}}],
])(
  'what %s decides is never sent to the editor, and no request is withdrawn',
  async (_by, args, settings) => {
    const {editor} = await openHome(settings);
    const {open, prompt, asked, text} = await editor({
      args: [
        '--agent',
        scripted({turns: [[...requests({title: 'Look', rawInput: {about: 'x'}}, 8), says('done')]]}),
        ...args,
      ],
    });
    const {sessionId} = await open();
    await prompt(sessionId, 'go');
    expect(text('agent_message_chunk')).toBe('done');
    expect(asked).toEqual([]);
  },
);

test.each<[string, object, string, readonly string[]]>([
  [
    'a command',
    {title: 'List the files', kind: 'execute', rawInput: {command: 'rm -rf .\u202e', cwd: '/elsewhere'}},
    'rm -rf .⟨U+202E⟩',
    ['The agent calls this "List the files".', '```\ncommand: rm -rf .⟨U+202E⟩\ncwd: /elsewhere\n```'],
  ],
  [
    'words of a command, whatever kind it claims to be of',
    {title: 'Read', kind: 'read', rawInput: {command: ['rm', 'a b']}},
    "rm 'a b'",
    ['The agent calls this "Read".', "```\ncommand: rm 'a b'\n```"],
  ],
  [
    'another field',
    {title: 'Look around', kind: 'other', rawInput: {script: 'rm -rf .'}},
    'Look around',
    ['```\nscript: rm -rf .\n```'],
  ],
  [
    'another field that is called a location',
    {title: 'Look around', rawInput: {script: 'rm -rf .'}, locations: [{path: 'rm -rf .'}]},
    'Look around',
    ['```\nscript: rm -rf .\n```'],
  ],
  [
    'a command that is the title',
    {title: 'Run ls', kind: 'execute', rawInput: {command: 'ls'}},
    'Run ls',
    [],
  ],
])('what will run stands in the title or the content of a request: %s', async (_, call, title, texts) => {
  const {editor} = await openHome();
  const {open, prompt, asked} = await editor({
    args: ['--agent', scripted({turns: [requests(call)]})],
    permit: choose('Reject'),
  });
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  const content = texts.map((text) => ({type: 'content', content: {type: 'text', text}}));
  expect(asked).toMatchObject([{toolCall: {title, content}}]);
});

test.each([
  [
    'delete',
    {kind: 'edit', content: [{type: 'diff', path: '$cwd/a', oldText: 'a', newText: '', deleted: true}]},
    /Deletes \S+\/a\./,
  ],
  [
    'move',
    {kind: 'move', content: [{type: 'diff', path: '$cwd/b', oldText: 'a', newText: 'a'}]},
    /Moves a file to \S+\/b\./,
  ],
  ['move', {kind: 'edit', rawInput: {patch: 'rename from a\nrename to b\n'}}, /Moves \S+\/a to \S+\/b\./],
])('a request to %s a file says so', async (kind, call, says) => {
  const {editor} = await openHome();
  const {open, prompt, asked} = await editor({
    args: ['--agent', scripted({turns: [requests({title: 'Tidy up', ...call})]})],
    permit: choose('Reject'),
  });
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  const [{toolCall}] = asked as [acp.RequestPermissionRequest];
  expect(toolCall.kind).toBe(kind);
  expect(JSON.stringify(toolCall.content)).toMatch(says);
});

test('what a diff shows is not repeated below it, nor a default beside it', async () => {
  const {editor} = await openHome();
  const rawInput = {file_path: '/x/a.txt', old_string: 'one', new_string: 'two', replace_all: false};
  const diff = {type: 'diff', path: '/x/a.txt', oldText: 'say one\n', newText: 'say two\n'};
  const call = {
    title: 'Edit a.txt',
    kind: 'edit',
    rawInput,
    content: [diff],
    locations: [{path: '/x/a.txt'}],
  };
  const {open, prompt, asked} = await editor({
    args: ['--agent', scripted({turns: [[...requests(call), ...requests({...call, content: []})]]})],
    permit: choose('Reject'),
  });
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  const facts = '```\nfile_path: /x/a.txt\nold_string: one\nnew_string: two\nreplace_all: false\n```';
  expect(asked.map(({toolCall}) => toolCall.content)).toMatchObject([
    [diff],
    [{type: 'content', content: {type: 'text', text: facts}}],
  ]);
});

test('a form is filled in by the editor', async () => {
  const {editor} = await openHome();
  const questions: acp.CreateElicitationRequest[] = [];
  const requestedSchema = {...FORM, title: 'Preferences', description: 'They are kept.'};
  const {open, prompt, text} = await editor({
    args: ['--agent', scripted({turns: [elicits({mode: 'form', requestedSchema})]})],
    capabilities: {elicitation: {form: {}}},
    elicit(request) {
      questions.push(request);
      return {action: 'accept', content: {color: 'b', count: 2}};
    },
  });
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  expect(questions).toMatchObject([{mode: 'form', sessionId, message: 'Which one?', requestedSchema}]);
  expect(text('agent_message_chunk')).toBe('accept');
});

test.each<[string, acp.ClientCapabilities, acp.CreateElicitationResponse]>([
  ['cannot show it', {}, {action: 'decline'}],
  ['answers with nonsense', {elicitation: {form: {}}}, {action: 'accept', content: {color: 'green'}}],
])('a form of which the editor %s waits for a window', async (_, capabilities, answer) => {
  const {editor, window} = await openHome();
  const {open, prompt, text} = await editor({
    args: ['--agent', scripted({turns: [elicits({mode: 'form', requestedSchema: FORM})]})],
    capabilities,
    elicit: () => answer,
  });
  const {sessionId} = await open();
  const response = prompt(sessionId, 'go');
  await expect.poll(() => text('agent_message_chunk')).toContain(`acp-tui attach ${sessionId}`);
  const shown = await window(sessionId);
  void shown.actions.answer(shown.state().pending[0]!.id, {kind: 'declined'});
  expect(await response).toMatchObject({stopReason: 'end_turn'});
  expect(text('agent_message_chunk')).toMatch(/decline$/);
});

test('a form that is filled in wrongly is asked again, with what is wrong', async () => {
  const {editor} = await openHome();
  const messages: string[] = [];
  const answers = [{count: 2}, {color: 'green'}, {color: 'b'}];
  const {open, prompt, text} = await editor({
    args: ['--agent', scripted({turns: [elicits({mode: 'form', requestedSchema: FORM})]})],
    capabilities: {elicitation: {form: {}}},
    elicit({message}) {
      messages.push(message);
      return {action: 'accept', content: answers[messages.length - 1]!};
    },
  });
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  expect(messages).toEqual([
    'Which one?',
    'Which one?\n\nColor: Required',
    'Which one?\n\nColor: Not an allowed value',
  ]);
  expect(text('agent_message_chunk')).toBe('accept');
});

test('a request that is answered with an option that it does not have is asked again', async () => {
  const {editor} = await openHome();
  const {open, prompt, asked, text} = await editor({
    args: ['--agent', scripted({turns: [[...requests({title: 'Look'}), says('done')]]})],
    permit: ({options}) => ({
      outcome: {outcome: 'selected', optionId: asked.length === 1 ? 'allow' : options[0]!.optionId},
    }),
  });
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  expect(asked).toHaveLength(2);
  expect(text('agent_message_chunk')).toBe('done');
});

test('a page in the browser is opened by the editor, which learns that it is finished', async () => {
  const {editor} = await openHome();
  const link = {mode: 'url', url: 'https://example.org/x', elicitationId: 'e1'};
  const finishes = {send: {jsonrpc: '2.0', method: 'elicitation/complete', params: {elicitationId: 'e1'}}};
  const {open, prompt, text, completed} = await editor({
    args: ['--agent', scripted({turns: [[...elicits(link), finishes]]})],
    capabilities: {elicitation: {url: {}}},
    elicit: () => ({action: 'accept'}),
  });
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  expect(text('agent_message_chunk')).toBe('accept');
  await expect.poll(() => completed).toHaveLength(1);
});

test('a request that the agent changes is asked again, and the old answer does not count', async () => {
  const {editor, window} = await openHome();
  const [ask, answered] = asks('one') as [ScriptStep, ScriptStep];
  const changed = {toolCallId: 'call-one', title: 'Run something else', rawInput: {command: 'rm -rf .'}};
  const changes: ScriptStep = {update: {sessionUpdate: 'tool_call_update', ...changed}};
  const {open, prompt, asked} = await editor({
    args: ['--agent', scripted({turns: [[ask, changes, answered]]})],
    permit: ({toolCall, options}, signal) =>
      new Promise((answer) => {
        const reply = (index: number) =>
          answer({outcome: {outcome: 'selected', optionId: options[index]!.optionId}});
        if (toolCall.title === 'rm -rf .') reply(1);
        else signal.addEventListener('abort', () => reply(0));
      }),
  });
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  expect(asked.at(-1)?.toolCall.title).toBe('rm -rf .');
  const [, call] = (await window(sessionId)).state().entries;
  expect(call).toMatchObject({permission: {option: 'Reject'}});
});

test('a request that the agent changes is asked again once, whatever its answers are then known to cover', async () => {
  const {editor, window} = await openHome();
  const options = [{optionId: 'always', name: 'Always', kind: 'allow_always'}];
  const toolCall = {toolCallId: 'call', title: 'Look', kind: 'other'};
  const asksFirst: ScriptStep = {
    ask: 'one',
    method: 'session/request_permission',
    params: {sessionId: '$session', toolCall, options},
  };
  const changed = {...toolCall, title: 'Look around', rawInput: {about: 'x'}};
  const changes: ScriptStep = {update: {...changed, sessionUpdate: 'tool_call_update'}};
  const covered = Promise.withResolvers<void>();
  const {open, prompt, asked} = await editor({
    args: ['--agent', scripted({turns: [[asksFirst, changes, {answered: 'one'}]]})],
    permit: async (request, signal) => {
      const isFirst = request.toolCall.title === 'Look';
      const withdrawn = new Promise((resolve) => signal.addEventListener('abort', resolve));
      await (isFirst ? withdrawn : covered.promise);
      return {outcome: {outcome: 'selected', optionId: request.options[0]!.optionId}};
    },
  });
  const {sessionId} = await open();
  const ended = prompt(sessionId, 'go');
  const observer = await window(sessionId);
  const coversOf = ({pending: [request]}: SessionState) =>
    request?.kind === 'permission' ? (request.covers ?? []) : [];
  await observer.until((state) => coversOf(state).join('') !== '');
  covered.resolve();
  await ended;
  expect(asked.filter((request) => request.toolCall.title === 'Look around')).toHaveLength(1);
});

test('an editor can add the suggested rule, which decides from then on', async () => {
  const {editor, cwd} = await openHome();
  const {open, prompt, asked} = await editor({
    args: ['--agent', scenario('fs')],
    permit: ({options}) => {
      const rule = options.find(({name}) => name.startsWith('Always allow: '));
      return {outcome: {outcome: 'selected', optionId: rule?.optionId ?? 'none'}};
    },
  });
  const {sessionId} = await open();
  for (const content of ['one', 'two']) {
    await prompt(sessionId, `write ${join(cwd, 'a.txt')} ${content}`);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(content);
  }
  expect(asked).toHaveLength(1);
});

test('an editor can allow something for the session, which decides from then on', async () => {
  const {editor} = await openHome();
  const options = [
    {optionId: 'always', name: 'Always', kind: 'allow_always'},
    {optionId: 'once', name: 'Once', kind: 'allow_once'},
  ];
  const edits = ['a', 'b', 'c'].flatMap((name): readonly ScriptStep[] => {
    const content = [{type: 'diff', path: `$cwd/${name}`, newText: 'x'}];
    const toolCall = {toolCallId: name, title: `Edit ${name}`, kind: 'edit', content};
    const params = {sessionId: '$session', toolCall, options};
    return [{ask: name, method: 'session/request_permission', params}, {answered: name}];
  });
  const {open, prompt, asked} = await editor({
    args: ['--agent', scripted({turns: [edits]})],
    permit: choose('Always'),
  });
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  expect(asked.map(({toolCall}) => toolCall.toolCallId)).toEqual(['a']);
});

test('the output of a command that acp-tui runs reaches the editor as text', async () => {
  const {editor} = await openHome();
  const {open, prompt, sent} = await editor({
    args: ['--agent', scenario('terminal'), '--approve', 'all'],
  });
  const {sessionId} = await open();
  await prompt(sessionId, 'echo $((41 + 1))');
  const content = [{type: 'content', content: {type: 'text', text: '```\n$ echo $((41 + 1))\n42\n```'}}];
  const shown = () =>
    [...sent('tool_call'), ...sent('tool_call_update')].filter((update) => 'content' in update);
  await expect.poll(() => shown().at(-1)).toMatchObject({content});
});
