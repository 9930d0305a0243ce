import {describeFailure} from '../../../src/shared/failure-messages.ts';
import type {Failure} from '../../../src/shared/failure.ts';
import type {FailureEntry} from '../../../src/session/entries.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging} from '../../draw/lines.ts';

/** The agent could not be started, or went away. */
export function drawFailure(entry: FailureEntry, draw: Draw): string[] {
  return drawFailureText(entry.failure, draw);
}

/** What happened, why, and what to do. */
export function drawFailureText(failure: Failure, draw: Draw): string[] {
  const {paint, signs} = draw;
  const {what, why, todo} = describeFailure(failure);
  return [
    ...hanging(signs.failed, what, draw).map((line) => paint.error(line)),
    ...(why ? hanging(' ', why, draw) : []),
    ...(todo ? hanging(' ', todo, draw).map((line) => paint.dim(line)) : []),
  ];
}
