import {describeFailure} from '../../src/shared/failure-messages.ts';
import type {FailureEntry} from '../../src/session/entries.ts';
import type {Theme} from '../theme/theme.tsx';
import {wrapHanging} from '../layout/lines.ts';

/** Returns the rows of what failed, why, and what to do. */
export function rowsOfFailure({failure}: Pick<FailureEntry, 'failure'>, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const {what, why, todo} = describeFailure(failure);
  return [
    ...wrapHanging(symbols.failed, what, theme).map((line) => paint.error(line)),
    ...(why ? wrapHanging(' ', why, theme) : []),
    ...(todo ? wrapHanging(' ', todo, theme).map((line) => paint.dim(line)) : []),
  ];
}
