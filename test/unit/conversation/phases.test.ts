import {describe, expect, test} from 'vitest';
import {
  canBeGivenUp,
  connectionOf,
  idlePhase,
  nextPhase,
  phaseToReturnTo,
  runOf,
  waitsForAgent,
  type AgentRun,
  type EventName,
  type Phase,
  type PhaseName,
} from '../../../src/conversation/connection/phases.ts';

const run = {} as AgentRun;
const left = Promise.resolve(undefined);
const failure = {kind: 'interrupted'} as const;
const opening = {kind: 'new'} as const;
const lost = {failure, agent: undefined, reportedElsewhere: false};

/** Returns the phase that an event leads to. */
const after = (phase: Phase, event: EventName): Phase | undefined =>
  nextPhase(phase, event, fields[event] as never);
const fields: Record<EventName, object> = {
  start: {joined: left, isReconnecting: false},
  launched: {run},
  sign_in: {},
  require_sign_in: {methods: [], problem: undefined},
  open: {previous: opening},
  opened: {},
  not_opened: {failure: undefined},
  leave: {left, restarts: true},
  fail: {failure, agent: undefined},
  lose: lost,
  reconnect: {attempt: 1, since: 0},
  close: {left},
};

function through(...events: readonly EventName[]): Phase {
  return events.reduce<Phase>((phase, event) => {
    const entered = after(phase, event);
    if (!entered) throw new Error(`${event} is not possible while ${phase.name}`);
    return entered;
  }, idlePhase());
}

/** Each phase, by the events that lead to it. */
const phases: Record<PhaseName, Phase> = {
  idle: idlePhase(),
  launching: through('start'),
  initializing: through('start', 'launched'),
  signing_in: through('start', 'launched', 'sign_in'),
  opening: through('start', 'launched', 'open'),
  ready: through('start', 'launched', 'open', 'opened'),
  sign_in_required: through('start', 'launched', 'open', 'require_sign_in'),
  no_session: through('start', 'launched', 'not_opened'),
  leaving: through('start', 'launched', 'leave'),
  reconnecting: through('start', 'launched', 'lose', 'reconnect'),
  failed: through('start', 'fail'),
  lost: through('start', 'launched', 'lose'),
  closed: through('close'),
};

/** Where each event leads from each phase; `-` is not possible. */
const TABLE = `
                 start     launched     sign_in    require_sign_in  open    opened not_opened leave   fail   lose reconnect    close
idle             launching -            -          -                -       -      -          leaving -      -    -            closed
launching        -         initializing -          -                -       -      -          leaving failed lost reconnecting closed
initializing     -         -            signing_in sign_in_required opening -      no_session leaving -      lost -            closed
signing_in       -         -            signing_in sign_in_required opening ready  no_session leaving -      lost -            closed
opening          -         -            signing_in sign_in_required opening ready  no_session leaving -      lost -            closed
ready            -         -            signing_in sign_in_required opening -      -          leaving -      lost -            closed
sign_in_required -         -            signing_in sign_in_required opening ready  -          leaving -      lost -            closed
no_session       -         -            signing_in sign_in_required opening -      -          leaving -      lost -            closed
leaving          launching -            -          -                -       -      -          leaving failed lost reconnecting closed
reconnecting     launching -            -          -                -       -      -          leaving -      lost -            closed
failed           -         -            -          -                -       -      -          leaving -      -    -            closed
lost             -         -            -          -                -       -      -          leaving -      -    reconnecting closed
closed           -         -            -          -                -       -      -          -       -      -    -            -
`;
const [events = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/));
const cells = rows.flatMap(([name, ...targets]) =>
  targets.map((target, index) => [name as PhaseName, events[index] as EventName, target] as const),
);

test('the table has every phase and every event', () => {
  expect(rows.map(([name]) => name)).toEqual(Object.keys(phases));
  expect(events).toEqual(Object.keys(fields));
});

test.each(cells)('while %s, the event "%s" leads to: %s', (name, event, target) => {
  expect(after(phases[name], event)?.name ?? '-').toBe(target);
});

describe('the agent of a session', () => {
  test('is known from its launch until the session leaves it', () => {
    const known = Object.values(phases).filter((phase) => runOf(phase) === run);
    expect(known.map(({name}) => name)).toEqual([
      'initializing',
      'signing_in',
      'opening',
      'ready',
      'sign_in_required',
      'no_session',
    ]);
  });

  test('can be given up while the session waits for it', () => {
    const names = (holds: (phase: Phase) => boolean) =>
      Object.values(phases).flatMap((phase) => (holds(phase) ? phase.name : []));
    expect(names(waitsForAgent)).toEqual(['initializing', 'signing_in', 'opening']);
    expect(names(canBeGivenUp)).toEqual(['initializing', 'signing_in', 'opening', 'reconnecting']);
  });
});

describe('what was given up or failed', () => {
  const back = (...events: readonly EventName[]) => {
    const phase = through('start', 'launched', ...events);
    if (phase.name !== 'signing_in' && phase.name !== 'opening') throw new Error(phase.name);
    return phaseToReturnTo(phase)?.name;
  };

  test.each([
    [['open', 'opened', 'sign_in'], 'ready'],
    [['open', 'opened', 'open'], 'ready'],
    [['open', 'opened', 'open', 'open'], 'ready'],
    [['open', 'opened', 'sign_in', 'sign_in'], 'ready'],
    [['not_opened', 'open'], 'no_session'],
    [['require_sign_in', 'open'], 'sign_in_required'],
    [['require_sign_in', 'sign_in', 'open'], 'sign_in_required'],
    [['sign_in'], undefined],
    [['open'], undefined],
  ] as const)('%s returns to %s', (given, name) => {
    expect(back(...given)).toBe(name);
  });

  test('can be given up again when it is entered again', () => {
    const {ready} = phases;
    const opens = after(ready, 'open');
    ready.ended.abort();
    const returnedTo = opens?.name === 'opening' ? phaseToReturnTo(opens) : undefined;
    expect(returnedTo?.ended.signal.aborted).toBe(false);
  });
});

test('what is shown of a phase', () => {
  const shown = Object.values(phases).map((phase) => [phase.name, connectionOf(phase, 7)] as const);
  expect(Object.fromEntries(shown)).toEqual({
    idle: undefined,
    launching: {kind: 'starting', step: 'launching', since: 7},
    initializing: {kind: 'starting', step: 'initializing', since: 7},
    signing_in: {kind: 'starting', step: 'authenticating', since: 7},
    opening: {kind: 'starting', step: 'opening_session', since: 7},
    ready: {kind: 'ready'},
    sign_in_required: {kind: 'authentication_required', methods: []},
    no_session: {kind: 'no_session', failure: undefined},
    leaving: {kind: 'starting', step: 'launching', since: 7},
    reconnecting: {kind: 'starting', step: 'reconnecting', since: 0, attempt: 1},
    failed: {kind: 'failed', failure},
    lost: {kind: 'lost', failure},
    closed: undefined,
  });
});
