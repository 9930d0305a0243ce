import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, it} from 'vitest';
import type {Update} from '../../../../src/session/events.ts';
import {activePlan} from '../../../../src/session/selectors.ts';
import {LIMITS} from '../../../../src/shared/limits.ts';
import {
  ended,
  entriesOf,
  reduceEvents,
  only,
  opened,
  prompted,
  says,
  reduceUpdates,
} from '../../../support/session/build.ts';

const running = reduceEvents(opened, prompted('go'));

function steps(...statuses: acp.PlanEntryStatus[]): acp.PlanEntry[] {
  return statuses.map((status, index) => ({content: `step ${index}`, priority: 'medium', status}));
}

function plan(...statuses: acp.PlanEntryStatus[]): Update {
  return {sessionUpdate: 'plan', entries: steps(...statuses)};
}

function named(planId: string, ...statuses: acp.PlanEntryStatus[]): Update {
  return {sessionUpdate: 'plan_update', plan: {type: 'items', planId, entries: steps(...statuses)}};
}

describe('a plan', () => {
  it('without end is kept up to a limit, and says how much is left out', () => {
    const session = reduceUpdates(running, plan(...Array.from({length: 10_000}, () => 'pending' as const)));
    const content = activePlan(session)?.content;
    if (content?.type !== 'items') throw new Error('no plan');
    expect(content.entries).toHaveLength(LIMITS.planEntries);
    expect(content.entries.at(-1)?.content).toBe('9001 more steps not shown');
  });

  it('that is repeated while it is finished updates its entry', () => {
    const session = reduceUpdates(running, plan('completed'), plan('completed', 'completed'));
    expect(only(session, 'plan').content).toMatchObject({entries: steps('completed', 'completed')});
  });

  it('with new steps after it was finished is live again, and gets another entry', () => {
    const again = reduceUpdates(running, plan('completed'), plan('completed', 'pending'));
    expect(activePlan(again)).toBeDefined();
    expect(entriesOf(again, 'plan')).toHaveLength(1);
    const over = reduceEvents(reduceUpdates(again, plan('completed', 'completed')), ended('end_turn'));
    expect(entriesOf(over, 'plan').map((entry) => entry.content)).toMatchObject([
      {entries: steps('completed')},
      {entries: steps('completed', 'completed')},
    ]);
  });

  it('without steps is ignored', () => {
    const session = reduceEvents(reduceUpdates(running, plan('pending'), plan()), ended('end_turn'));
    expect(entriesOf(session, 'plan')).toEqual([]);
  });

  it('that is unchanged in each turn is in the transcript once, and again after a change', () => {
    for (const same of [plan('completed'), plan('completed', 'pending')]) {
      let session = reduceEvents(reduceUpdates(running, same), ended('end_turn'));
      session = reduceEvents(
        reduceUpdates(reduceEvents(session, prompted('on', 2)), says('ok'), same),
        ended('end_turn', 2),
      );
      expect(entriesOf(session, 'plan')).toHaveLength(1);
      session = reduceEvents(
        reduceUpdates(reduceEvents(session, prompted('on', 3)), plan('in_progress')),
        ended('end_turn', 3),
      );
      expect(entriesOf(session, 'plan')).toHaveLength(2);
    }
  });

  it('of the next turn is a new one', () => {
    const next = reduceEvents(
      reduceEvents(reduceUpdates(running, plan('completed')), ended('end_turn')),
      prompted('more', 2),
    );
    const session = reduceUpdates(next, plan('completed', 'completed'));
    expect(entriesOf(session, 'plan').map((entry) => entry.turn)).toEqual([1, 2]);
  });
});

describe('plans with IDs', () => {
  it('keep their entry when the agent removes them finished', () => {
    const session = reduceUpdates(running, named('a', 'completed'), {
      sessionUpdate: 'plan_removed',
      planId: 'a',
    });
    expect(session.plans).toEqual([]);
    expect(only(session, 'plan').planId).toBe('a');
  });

  it('of prose are shown until the turn ends', () => {
    const prose = reduceUpdates(running, {
      sessionUpdate: 'plan_update',
      plan: {type: 'markdown', planId: 'a', content: '# Plan'},
    });
    expect(activePlan(prose)?.content.type).toBe('markdown');
    expect(only(reduceEvents(prose, ended('end_turn')), 'plan').content.type).toBe('markdown');
  });
});
