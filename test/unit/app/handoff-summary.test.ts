import {expect, test} from 'vitest';
import {handoffSummary} from '../../../src/app/recovery/handoff-summary.ts';
import {reduceEvents, opened, prompted, says, reduceUpdates} from '../../support/session/build.ts';

test("a new agent gets the messages, the agent's forms, and their answers", () => {
  const asked = {mode: 'form', message: 'Which one?', fields: []} as const;
  const session = reduceEvents(
    reduceUpdates(reduceEvents(opened, prompted('Take one')), says('I have to ask.')),
    {type: 'elicitation_requested', id: 'f', asked},
    {
      type: 'elicitation_resolved',
      id: 'f',
      outcome: 'accepted',
      answers: [
        {label: 'A color', answer: 'red'},
        {label: 'A key', isSecret: true},
      ],
    },
  );
  const lines = handoffSummary(session).split('\n');
  expect(lines.slice(lines.indexOf('<conversation>') + 1, lines.indexOf('</conversation>'))).toEqual([
    'User: Take one',
    'Agent: I have to ask.',
    'Agent asked: Which one?',
    'User answered: A color: red',
    'User answered: A key: (not shown)',
  ]);
});

test('of an answer that is too long, a new agent gets the end', () => {
  const answer = `${'word '.repeat(4000)}so it is done`;
  const session = reduceUpdates(reduceEvents(opened, prompted('Take one')), says(answer));
  const summary = handoffSummary(session);
  expect(summary).toContain('(What came before is left out.)\nAgent: …');
  expect(summary).toContain('word so it is done\n</conversation>');
  expect(summary.length).toBeLessThan(13_000);
});
