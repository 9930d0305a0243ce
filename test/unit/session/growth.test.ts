import {expect, test} from 'vitest';
import {subagentTree} from '../../../src/session/subagents/tree.ts';
import {leastCpuTimeOf} from '../../support/cpu-time.ts';
import {
  calls,
  callUpdate,
  opened,
  prompted,
  reduceEvents,
  reduceUpdates,
  says,
  subagent,
  update,
  type UntimedEvent,
} from '../../support/session/build.ts';

const step = (i: number) => ({content: `Step ${i}`, priority: 'low' as const, status: 'completed' as const});
const modes = ['ask', 'code'].map((id) => ({id, name: id}));

/** What one more of a kind is, in a turn that already has as many of them. */
const KINDS: Readonly<Record<string, (i: number, count: number) => readonly UntimedEvent[]>> = {
  'tool calls': (i) => [update(calls(`c${i}`)), update(callUpdate(`c${i}`, {status: 'completed'}))],
  'calls under one ID': () => [update(calls('c')), update(callUpdate('c', {status: 'completed'}))],
  messages: (i) => [update(says('words', `m${i}`))],
  terminals: (i) =>
    [{terminal_info: {command: 'ls'}}, {terminal_output: {data: 'a'}}, {terminal_exit: {exit_code: 0}}].map(
      (part) =>
        update(
          callUpdate(`c${i}`, {
            _meta: Object.fromEntries(
              Object.entries(part).map(([key, value]) => [key, {...value, terminal_id: `t${i}`}]),
            ),
          }),
        ),
    ),
  thoughts: (i) => [
    update({
      sessionUpdate: 'agent_thought_chunk',
      messageId: `t${i}`,
      content: {type: 'text', text: 'words'},
    }),
  ],
  plans: (i) => [
    update({sessionUpdate: 'plan_update', plan: {type: 'items', planId: 'p', entries: [step(i)]}}),
  ],
  modes: (i) => [update({sessionUpdate: 'current_mode_update', currentModeId: modes[i % 2]?.id ?? ''})],
  'updates of old calls': (i, count) => [
    update(
      i < count / 2 ? calls(`c${i}`) : callUpdate(`c${i - Math.ceil(count / 2)}`, {status: 'completed'}),
    ),
  ],
  // Several, since one takes too little time to be measured.
  cursors: (i) =>
    Array.from({length: 4}, (_, part) =>
      update({sessionUpdate: 'cursor_update', cursorId: `k${i} ${part}`, canFork: true}),
    ),
  requests: (i) => [
    {
      type: 'permission_requested',
      id: `${i}`,
      request: {sessionId: 's1', toolCall: {toolCallId: `c${i}`, title: 'Read'}, options: []},
    },
    {
      type: 'permission_resolved',
      id: `${i}`,
      toolCallId: `c${i}`,
      decision: {outcome: 'rejected', option: undefined, by: 'user'},
    },
  ],
};

/** CPU time that so many of a kind take. */
function timeOf(kind: string, count: number): number {
  const begun = reduceEvents(
    {...opened, modes: {currentModeId: 'code', availableModes: modes}},
    prompted('work'),
  );
  const events = Array.from({length: count}, (_, i) => KINDS[kind]?.(i, count) ?? []).flat();
  return leastCpuTimeOf(() => void reduceEvents(begun, ...events));
}

test.each(Object.keys(KINDS))(
  'the cost of %s in a turn grows as their number',
  {timeout: 120_000},
  (kind) => {
    const [few, many] = [2500, 20_000];
    timeOf(kind, few);
    const exponent = Math.log(timeOf(kind, many) / timeOf(kind, few)) / Math.log(many / few);
    // Collecting garbage makes it more than 1, and a search through all of them almost 2; `npm run bench -- growth` measures whole runs.
    expect(exponent).toBeLessThan(1.4);
  },
);

test('the cost of a list of subagents grows as their number', () => {
  const listTime = (count: number) => {
    const session = reduceUpdates(
      opened,
      ...Array.from({length: count}, (_, i) => subagent(`s${i}`, {title: 's'})),
    );
    return leastCpuTimeOf(() => void subagentTree({...session, subagents: {...session.subagents}}));
  };
  // Of fewer, what is measured takes 0.1 ms, and the exponent varies from 1.3 to 1.6.
  const [few, many] = [200, 2000];
  listTime(few);
  expect(Math.log(listTime(many) / listTime(few)) / Math.log(many / few)).toBeLessThan(1.5);
});
