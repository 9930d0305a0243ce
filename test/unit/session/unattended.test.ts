import {describe, expect, test} from 'vitest';
import {
  asksLess,
  asksLessText,
  stopsAsking,
  unattendedBy,
  valueStopsAsking,
} from '../../../src/session/settings/unattended.ts';
import {reduceEvents, newSession, opened} from '../../support/session/build.ts';

/** Of a real agent. */
type Mode = readonly [agent: string, id: string, name: string, description?: string];

const UNATTENDED: readonly Mode[] = [
  ['Claude', 'bypassPermissions', 'Bypass Permissions', 'Bypass all permission checks'],
  ['Gemini CLI', 'yolo', 'YOLO', 'Auto-approves all tools'],
  ['Qwen Code', 'yolo', 'YOLO', 'Automatically approve all tools'],
  [
    'Codex',
    'agent-full-access',
    'Full access',
    'Unrestricted access to the internet and any file on your computer',
  ],
  [
    'Codex, earlier',
    'full-access',
    'Full Access',
    'Codex can edit files outside this workspace and access the internet.',
  ],
  ['Copilot', 'https://agentclientprotocol.com/protocol/session-modes#autopilot', 'Autopilot'],
  ['Goose', 'auto', 'auto', 'Automatically approve tool calls'],
  ['Amp', 'bypass', 'Bypass', 'Skips all permission prompts'],
  ['Mistral Vibe', 'auto-approve', 'Auto Approve', 'Auto-approves all tool executions'],
  ['OpenHands', 'always-approve', 'Always approve', 'Run every action without asking'],
  ['by its name alone', 'm3', 'Dangerously skip permissions'],
  ['by its description alone', 'm4', 'Fast', 'Runs everything without asking'],
];

const ASKING: readonly Mode[] = [
  ['Claude', 'default', 'Default', 'Standard behavior, prompts for dangerous operations'],
  ['Claude', 'acceptEdits', 'Accept Edits', 'Auto-accept file edit operations'],
  ['Claude', 'plan', 'Plan Mode', 'Planning mode, no actual tool execution'],
  ['Claude', 'dontAsk', "Don't Ask", "Don't prompt for permissions, deny if not pre-approved"],
  ['Claude', 'auto', 'Auto', 'Use a model classifier to approve/deny permission prompts'],
  ['Gemini CLI', 'default', 'Default', 'Prompts for approval'],
  ['Gemini CLI', 'autoEdit', 'Auto Edit', 'Auto-approves edit tools'],
  ['Gemini CLI', 'plan', 'Plan', 'Read-only mode'],
  ['Codex', 'agent', 'Auto review', 'Only ask for actions detected as potentially unsafe'],
  ['Codex', 'read-only', 'Read-only', 'Requires approval to edit files and access the internet.'],
  [
    'Codex',
    'workspace-write',
    'Workspace access',
    'Edit workspace files; ask before writing outside the workspace or accessing the network.',
  ],
  ['Copilot', 'https://agentclientprotocol.com/protocol/session-modes#agent', 'Agent', 'Default agent mode'],
  ['Copilot', 'https://agentclientprotocol.com/protocol/session-modes#plan', 'Plan', 'Plan mode'],
  ['OpenCode', 'build', 'build', 'The default agent. Executes tools based on configured permissions.'],
  ['OpenCode', 'plan', 'plan', 'Plan mode. Disallows all edit tools.'],
  ['Qwen Code', 'auto-edit', 'Auto Edit', 'Automatically approve file edits'],
  ['the demo agent', 'auto', 'Act without asking for edits'],
];

function asks(id: string, name: string, description?: string): boolean {
  return !stopsAsking({id, name, ...(description !== undefined && {description})});
}

describe('a mode in which the agent stops asking', () => {
  test.each(UNATTENDED.map((mode) => [mode] as const))('is detected: %j', ([, id, name, description]) => {
    expect(asks(id, name, description)).toBe(false);
  });

  test.each(ASKING.map((mode) => [mode] as const))(
    'that still asks is not one: %j',
    ([, id, name, description]) => {
      expect(asks(id, name, description)).toBe(true);
    },
  );
});

/** Modes of real agents, and of each those that ask less than its most careful one. */
const LISTS: readonly (readonly [
  agent: string,
  modes: readonly Mode[],
  asking: string,
  less: readonly string[],
])[] = [
  [
    'Claude 0.101',
    [
      ['', 'default', 'Manual', 'Always ask before making changes'],
      ['', 'acceptEdits', 'Accept edits', 'Automatically accept all file edits'],
      ['', 'plan', 'Plan', 'Create a plan before making changes'],
      ['', 'auto', 'Auto', 'Claude handles permission decisions'],
      ['', 'dontAsk', "Don't Ask", "Don't prompt for permissions, deny if not pre-approved"],
      ['', 'bypassPermissions', 'Bypass permissions', 'Accepts all permissions'],
    ],
    'default',
    ['acceptEdits', 'auto', 'bypassPermissions'],
  ],
  [
    'Qwen',
    [
      ['', 'plan', 'Plan', 'Analyze only, do not modify files or execute commands'],
      ['', 'default', 'Default', 'Require approval for file edits or shell commands'],
      ['', 'auto-edit', 'Auto Edit', 'Automatically approve file edits'],
      ['', 'auto', 'Auto', 'LLM classifier auto-approves safe actions, blocks risky ones'],
      ['', 'yolo', 'YOLO', 'Automatically approve all tools'],
    ],
    'default',
    ['auto-edit', 'auto', 'yolo'],
  ],
  [
    'Codex',
    [
      ['', 'read-only', 'Read-only', 'Requires approval to edit files and access the internet.'],
      [
        '',
        'workspace-write',
        'Workspace access',
        'Edit workspace files; ask before writing outside the workspace or accessing the network.',
      ],
      ['', 'agent', 'Auto review', 'Only ask for actions detected as potentially unsafe'],
      [
        '',
        'agent-full-access',
        'Full access',
        'Unrestricted access to the internet and any file on your computer',
      ],
    ],
    'read-only',
    ['agent', 'agent-full-access'],
  ],
  [
    'OpenCode',
    [
      ['', 'build', 'build', 'The default agent. Executes tools based on configured permissions.'],
      ['', 'plan', 'plan', 'Plan mode. Disallows all edit tools.'],
    ],
    'plan',
    [],
  ],
  [
    'Kimi',
    [
      ['', 'default', 'Default', 'Manual approvals; tools execute normally.'],
      ['', 'plan', 'Plan', 'Read-only planning; no tool execution.'],
      ['', 'auto', 'Auto', 'Auto-approve safe operations.'],
      ['', 'yolo', 'YOLO', 'Auto-approve everything.'],
    ],
    'default',
    ['auto', 'yolo'],
  ],
  [
    'Nanocoder',
    [
      ['', 'normal', 'normal'],
      ['', 'auto-accept', 'auto-accept'],
      ['', 'yolo', 'yolo'],
      ['', 'plan', 'plan'],
    ],
    'normal',
    ['auto-accept', 'yolo'],
  ],
  [
    'Copilot',
    [
      ['', 'https://agentclientprotocol.com/protocol/session-modes#agent', 'Agent', 'Default agent mode'],
      ['', 'https://agentclientprotocol.com/protocol/session-modes#plan', 'Plan', 'Plan mode'],
      ['', 'https://agentclientprotocol.com/protocol/session-modes#autopilot', 'Autopilot'],
    ],
    'https://agentclientprotocol.com/protocol/session-modes#agent',
    ['https://agentclientprotocol.com/protocol/session-modes#autopilot'],
  ],
];

describe('a mode in which the agent asks less', () => {
  const choices = (modes: readonly Mode[]) =>
    modes.map(([, id, name, description = '']) => ({id, name, description}));

  test.each(LISTS)('is recognized by what it says: %s', (_agent, modes, asking, less) => {
    const all = choices(modes);
    const careful = all.find(({id}) => id === asking);
    if (!careful) throw new Error(asking);
    expect(all.filter((mode) => asksLess(mode, careful)).map(({id}) => id)).toEqual(less);
    expect(all.filter((mode) => asksLess(careful, mode))).toEqual([]);
  });

  test('is recognized by its name if it says nothing, beside one that says that it asks', () => {
    const manual = {id: 'm', name: 'Manual', description: 'Always ask first'};
    expect(asksLess({id: 'auto-accept', name: 'Auto-accept'}, manual)).toBe(true);
    expect(asksLess({id: 'code', name: 'Code'}, manual)).toBe(false);
  });

  test.each(['Default', 'Manual', 'Ask', 'Always ask', 'Standard mode'])(
    'is recognized beside one that has only a name: %s',
    (name) => {
      const careful = {id: 'm1', name};
      expect(asksLess({id: 'm2', name: 'Auto-accept'}, careful)).toBe(true);
      expect(asksLess(careful, {id: 'm2', name: 'Auto-accept'})).toBe(false);
    },
  );

  test('is named with what it says and the one that asks more', () => {
    const [, modes] = LISTS[0] ?? ['', []];
    const inMode = (currentModeId: string) =>
      reduceEvents(opened, newSession('s1', {modes: {currentModeId, availableModes: choices(modes)}}));
    expect(asksLessText(inMode('auto'))).toBe(
      'The agent starts in the mode Auto (“Claude handles permission decisions”) and asks less than in Manual; /mode or --mode changes that.',
    );
    expect(asksLessText(inMode('default'))).toBeUndefined();
    expect(asksLessText(inMode('plan'))).toBeUndefined();
    const before = {id: 'x', name: 'Careful', description: 'Asks before each step'};
    expect(asksLessText(inMode('auto'), before)).toContain('asks less than in Careful, its mode before;');
    expect(asksLessText(inMode('default'), before)).toBeUndefined();
  });
});

describe('an option that makes the agent stop asking', () => {
  const session = reduceEvents(
    opened,
    newSession('s1', {
      configOptions: [
        {type: 'boolean', id: 'allow_all', name: 'Allow all', currentValue: true},
        {
          type: 'select',
          id: 'approvals',
          name: 'Approvals',
          currentValue: 'ask',
          options: [
            {value: 'ask', name: 'Ask'},
            {value: 'yolo', name: 'Everything'},
          ],
        },
        {
          type: 'select',
          id: 'model',
          name: 'Model',
          category: 'model',
          currentValue: 'yolo',
          options: [{value: 'yolo', name: 'yolo-9000'}],
        },
      ],
    }),
  );

  test('is detected by its name, or by the name of its value; never a model', () => {
    expect(valueStopsAsking(session, 'allow_all', true)).toBe(true);
    expect(valueStopsAsking(session, 'allow_all', false)).toBe(false);
    expect(valueStopsAsking(session, 'approvals', 'yolo')).toBe(true);
    expect(valueStopsAsking(session, 'approvals', 'ask')).toBe(false);
    expect(valueStopsAsking(session, 'model', 'yolo')).toBe(false);
    expect(unattendedBy(session)).toEqual(['Allow all']);
  });
});
