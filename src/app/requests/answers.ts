import type * as acp from '@agentclientprotocol/sdk/unstable';
import {canReject, isRefusing, rejectOption} from '../../session/selectors.ts';
import type {PendingPermission} from '../../session/state.ts';
import {keyName} from '../keymap/key-names.ts';
import type {Keymap} from '../keymap/keymap.ts';

/** An answer to a permission request: an option of the agent, or what acp-tui adds. */
export type Answer =
  | {
      readonly kind: 'option';
      readonly index: number;
      /** Undefined if several options are of its kind, so that no key stands for one of them. */
      readonly action: acp.PermissionOptionKind | undefined;
    }
  | {readonly kind: 'rule'; readonly action: 'allow_by_rule'}
  /** Where the agent offers no way to reject. */
  | {readonly kind: 'cancel'; readonly action: 'reject_once'}
  | {readonly kind: 'note'; readonly action: 'reject_with_note'};

/** Returns the answers in the order of their rows and numbers: the yeses, the rule, the noes, and a no with a note. */
export function answersOf(request: PendingPermission): readonly Answer[] {
  const {options, rule, asker} = request;
  const ofAgent = options.map(({kind}, index): Answer => {
    const isOnly = options.filter((other) => other.kind === kind).length === 1;
    return {kind: 'option', index, action: isOnly ? kind : undefined};
  });
  const firstNo = options.findIndex(isRefusing);
  const yeses = firstNo === -1 ? options.length : firstNo;
  return [
    ...ofAgent.slice(0, yeses),
    ...(rule === undefined ? [] : [{kind: 'rule', action: 'allow_by_rule'} as const]),
    ...ofAgent.slice(yeses),
    ...(canReject(request) ? [] : [{kind: 'cancel', action: 'reject_once'} as const]),
    // Nobody reads a note to a question of acp-tui's own.
    ...(asker !== undefined || rejectOption(request) === -1
      ? []
      : [{kind: 'note', action: 'reject_with_note'} as const]),
  ];
}

/** Returns the letter of an answer for display; empty if it has none. */
export function answerKey({action}: Answer, keymap: Keymap): string {
  const [key] = action === undefined ? [] : (keymap.request[action] ?? []);
  return key === undefined ? '' : keyName(key);
}

/** Returns the row that is selected at first: Enter alone should only allow once, though some agents put "always" first. */
export function firstSelected(request: PendingPermission): number {
  const harmless = answersOf(request).findIndex(
    (answer) =>
      answer.kind !== 'rule' &&
      !(answer.kind === 'option' && request.options[answer.index]?.kind === 'allow_always'),
  );
  return Math.max(0, harmless);
}

/** Returns the row of the same answer after a request has changed: a rule that comes or goes moves the others. */
export function stillSelected(before: PendingPermission, now: PendingPermission, selected: number): number {
  const answer = answersOf(before)[selected];
  const same = answersOf(now).findIndex((other) => JSON.stringify(other) === JSON.stringify(answer));
  return same === -1 ? firstSelected(now) : same;
}
