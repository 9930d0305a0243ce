import type {PendingUrl} from '../../session/state.ts';

/** Actions on an address that is to be opened or was opened. */
export type LinkAction = 'open' | 'decline' | 'cancel' | 'go_on' | 'open_again' | 'give_up';

interface LinkOption {
  readonly action: LinkAction;
  readonly name: string;
}

const ASKED: readonly LinkOption[] = [
  {action: 'open', name: 'Open it in the browser'},
  {action: 'decline', name: 'Decline: the agent is told no'},
  {action: 'cancel', name: 'Cancel: the agent gets no answer'},
];

const OPENED: readonly LinkOption[] = [
  {action: 'go_on', name: 'Go on: it is done, or need not be'},
  {action: 'open_again', name: 'Open it again'},
  {action: 'give_up', name: 'Give up: cancel what the agent does'},
];

/** The choices, in the order of their numbers. */
export function linkOptions({isOpened}: PendingUrl): readonly LinkOption[] {
  return isOpened ? OPENED : ASKED;
}
