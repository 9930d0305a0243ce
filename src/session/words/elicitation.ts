import {sanitizeLine} from '../../text/sanitize.ts';
import type {ElicitationEntry} from '../entries.ts';
import {answered} from '../forms/words.ts';

/** Questions and answers, each in a line; an answer of several lines takes as many. */
export function answerLines({answers}: Pick<ElicitationEntry, 'answers'>): readonly string[] {
  return answers.map(({label, answer, isSecret}) =>
    answered(label, isSecret ? '(not shown)' : (answer ?? '(no answer)')),
  );
}

/** What became of a question of the agent. */
export function outcomeWords({outcome, mode, asker, about}: ElicitationEntry): string {
  const who = `${asker ?? 'The agent'}${about === undefined ? '' : ` (for: ${sanitizeLine(about)})`}`;
  switch (outcome) {
    case 'accepted':
      return mode === 'url'
        ? `${who} wanted this address opened; you agreed.`
        : `${who} asked; you answered.`;
    case 'declined':
      return `${who} asked; you declined.`;
    case 'cancelled':
      return `${who} asked; it was cancelled without an answer.`;
    case 'withdrawn':
      return `${who} asked, and took the question back.`;
  }
}
