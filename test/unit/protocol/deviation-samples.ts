import type {Deviation} from '../../../src/protocol/normalize/deviation.ts';
import {DEVIATIONS} from '../../../src/protocol/normalize/messages.ts';
import type {JsonObject} from '../../../src/text/json.ts';

/** A valid tool content item. */
export const text = (value: string) => ({type: 'content', content: {type: 'text', text: value}});

/** A valid permission request. */
export const REQUEST = {
  sessionId: 's',
  toolCall: {toolCallId: 'c', title: 'Delete', kind: 'delete', content: [text('why')]},
  options: [{optionId: 'a', name: 'Allow', kind: 'allow_once'}],
};

/** Updates as agents send them, and the expected result. The name is that of the deviation. */
export const UPDATES: readonly [name: string, raw: JsonObject, arrives: JsonObject][] = [
  [
    'interruption',
    {sessionUpdate: 'user_message_chunk', content: {type: 'text', text: '[Request interrupted by user]'}},
    {sessionUpdate: 'notice', severity: 'info', title: 'Turn cancelled.'},
  ],
  [
    'mode-id',
    {sessionUpdate: 'current_mode_update', modeId: 'code'},
    {sessionUpdate: 'current_mode_update', currentModeId: 'code'},
  ],
  [
    'plan-path',
    {
      sessionUpdate: 'plan_update',
      plan: {type: 'markdown', planId: 'p', content: '# Plan', path: '/work/plan.md'},
    },
    {plan: {_meta: {'acp-tui/path': '/work/plan.md'}}},
  ],
  [
    'plan-id',
    {sessionUpdate: 'plan_update', plan: {type: 'markdown', id: 'plan-1', content: '## Steps'}},
    {sessionUpdate: 'plan_update', plan: {type: 'markdown', planId: 'plan-1', content: '## Steps'}},
  ],
  [
    'plan-id',
    {sessionUpdate: 'plan_removed', id: 'plan-1'},
    {sessionUpdate: 'plan_removed', planId: 'plan-1'},
  ],
  [
    'tool-content',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call_switch_mode_001',
      content: [
        {type: 'text', text: '## Implementation Plan...'},
        'plain',
        {type: 'content', content: 'bare'},
      ],
    },
    {content: [text('## Implementation Plan...'), text('plain'), text('bare')]},
  ],
  [
    'tool-content',
    {sessionUpdate: 'tool_call', toolCallId: 'c', title: 't', content: {type: 'text', text: 'no list'}},
    {content: [text('no list')]},
  ],
  [
    'unknown-tool-content',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      content: [text('known'), {type: 'chart', data: [1, 2]}, {type: 'diff', path: '/a'}],
    },
    {content: [text('known'), text('{"type":"chart","data":[1,2]}'), text('{"type":"diff","path":"/a"}')]},
  ],
  [
    'tool-status',
    {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'running'},
    {status: 'in_progress'},
  ],
  [
    'tool-status',
    {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'success'},
    {status: 'completed'},
  ],
  [
    'tool-status',
    {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'cancelled'},
    {status: 'failed'},
  ],
  [
    'tool-status',
    {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'toString'},
    {status: 'in_progress'},
  ],
  ['tool-kind', {sessionUpdate: 'tool_call', toolCallId: 'c', title: 't', kind: 'shell'}, {kind: 'other'}],
  [
    'tool-call-id',
    {sessionUpdate: 'tool_call_update', toolCallId: 7, status: 'completed'},
    {toolCallId: '7'},
  ],
  ['tool-title', {sessionUpdate: 'tool_call', toolCallId: 'c', kind: 'read'}, {title: 'read'}],
  ['tool-title', {sessionUpdate: 'tool_call', toolCallId: 'c', title: null}, {title: 'Tool call'}],
  [
    'chunk-content',
    {sessionUpdate: 'agent_message_chunk', content: 'bare'},
    {content: {type: 'text', text: 'bare'}},
  ],
  [
    'chunk-content',
    {sessionUpdate: 'agent_thought_chunk', content: {text: 'no type'}},
    {content: {type: 'text', text: 'no type'}},
  ],
  [
    'plan-entries',
    {
      sessionUpdate: 'plan',
      entries: [{content: 'a'}, {content: 'b', priority: 'urgent', status: 'blocked'}, 'c'],
    },
    {
      entries: ['a', 'b', 'c'].map((content) => ({content, priority: 'medium', status: 'pending'})),
    },
  ],
  ['plan-entries', {sessionUpdate: 'plan'}, {entries: []}],
  [
    'plan-entries',
    {
      sessionUpdate: 'plan_update',
      plan: {
        type: 'items',
        planId: 'p',
        entries: [
          {content: 'a', priority: 'low', status: 'cancelled'},
          {content: 'b', priority: 'low', status: 'done'},
        ],
      },
    },
    {
      plan: {
        type: 'items',
        planId: 'p',
        entries: [
          {content: 'a', priority: 'low', status: 'completed', _meta: {'acp-tui/status': 'cancelled'}},
          {content: 'b', priority: 'low', status: 'completed'},
        ],
      },
    },
  ],
  [
    'commands',
    {sessionUpdate: 'available_commands_update', availableCommands: [{name: '/web'}]},
    {availableCommands: [{name: 'web', description: ''}]},
  ],
  ['commands', {sessionUpdate: 'available_commands_update'}, {availableCommands: []}],
];

/** Changes to a valid permission request, and the expected result. */
export const PERMISSIONS: readonly [name: string, changes: JsonObject, arrives: JsonObject][] = [
  [
    'permission-options',
    {
      options: [
        {optionId: '1', name: 'Allow', kind: 'allow'},
        {optionId: '2', name: 'Deny', kind: 'deny'},
        {optionId: '3', name: 'Always deny', kind: 'deny_forever'},
        {optionId: '4', name: 'Edit first', kind: 'edit'},
        {optionId: '5', kind: 'reject_once'},
      ],
    },
    {
      options: [
        {kind: 'allow_once'},
        {kind: 'allow_always', name: 'Edit first'},
        {kind: 'reject_once', name: 'Deny'},
        {kind: 'reject_once', name: '5'},
        {kind: 'reject_always', name: 'Always deny'},
      ],
    },
  ],
  ['permission-options', {options: undefined}, {options: []}],
  ['permission-tool-call', {toolCall: null}, {toolCall: {toolCallId: 'unnamed'}}],
  ['permission-tool-call', {toolCall: {title: 'x'}}, {toolCall: {toolCallId: 'unnamed', title: 'x'}}],
  ['tool-call-id', {toolCall: {toolCallId: 3}}, {toolCall: {toolCallId: '3'}}],
  [
    'tool-content',
    {toolCall: {toolCallId: 'c', content: [{type: 'text', text: '## Implementation Plan...'}]}},
    {toolCall: {content: [text('## Implementation Plan...')]}},
  ],
  [
    'unknown-tool-content',
    {toolCall: {toolCallId: 'c', content: [{type: 'form', fields: []}]}},
    {toolCall: {content: [text('{"type":"form","fields":[]}')]}},
  ],
];

interface Other {
  readonly name: string;
  readonly deviations: readonly Deviation[] | undefined;
  readonly raw: JsonObject;
  readonly corrected: JsonObject;
}

/** Other parts of messages, the deviations that apply there, and their results. */
export const OTHERS: readonly Other[] = [
  {
    name: 'stop-reason',
    deviations: DEVIATIONS.results['session/prompt'],
    raw: {},
    corrected: {stopReason: 'end_turn'},
  },
  {
    name: 'stop-reason',
    deviations: DEVIATIONS.results['session/prompt'],
    raw: {stopReason: 'stop'},
    corrected: {stopReason: 'end_turn'},
  },
  {
    name: 'stop-reason',
    deviations: DEVIATIONS.results['session/prompt'],
    raw: {stopReason: 'canceled'},
    corrected: {stopReason: 'cancelled'},
  },
  {
    name: 'terminal-env',
    deviations: DEVIATIONS.requests['terminal/create'],
    raw: {command: 'x', env: {A: '1', B: 2}},
    corrected: {
      command: 'x',
      env: [
        {name: 'A', value: '1'},
        {name: 'B', value: '2'},
      ],
    },
  },
  {
    name: 'missing-version',
    deviations: DEVIATIONS.envelope,
    raw: {id: 0, result: {}},
    corrected: {jsonrpc: '2.0', id: 0, result: {}},
  },
  {
    name: 'answer-shape',
    deviations: DEVIATIONS.envelope,
    raw: {jsonrpc: '2.0', id: 0, result: {a: 1}, error: null},
    corrected: {jsonrpc: '2.0', id: 0, result: {a: 1}},
  },
  {
    name: 'answer-shape',
    deviations: DEVIATIONS.envelope,
    raw: {jsonrpc: '2.0', id: 0},
    corrected: {jsonrpc: '2.0', id: 0, result: null},
  },
  {
    name: 'answer-shape',
    deviations: DEVIATIONS.envelope,
    raw: {jsonrpc: '2.0', id: 0, result: null, error: {code: 1, message: 'm'}},
    corrected: {jsonrpc: '2.0', id: 0, error: {code: 1, message: 'm'}},
  },
  {
    name: 'error-shape',
    deviations: DEVIATIONS.envelope,
    raw: {jsonrpc: '2.0', id: 0, error: 'out of tokens'},
    corrected: {jsonrpc: '2.0', id: 0, error: {code: -32603, message: 'out of tokens'}},
  },
  {
    name: 'error-shape',
    deviations: DEVIATIONS.envelope,
    raw: {jsonrpc: '2.0', id: 0, error: {code: '429', message: null, data: 1}},
    corrected: {jsonrpc: '2.0', id: 0, error: {code: 429, message: 'null', data: 1}},
  },
  {
    name: 'error-shape',
    deviations: DEVIATIONS.envelope,
    raw: {jsonrpc: '2.0', id: 0, error: {code: 'E_LIMIT', message: 'm'}},
    corrected: {jsonrpc: '2.0', id: 0, error: {code: -32603, message: 'm'}},
  },
];
