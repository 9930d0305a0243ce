import type {PendingUrl} from '../../session/state.ts';

/** Actions on a URL request. */
export type LinkAction = 'open' | 'decline' | 'cancel' | 'continue' | 'open_again' | 'give_up';

interface LinkOption {
  readonly action: LinkAction;
  readonly name: string;
}

const ASKED: readonly LinkOption[] = [
  {action: 'open', name: 'Open in the browser'},
  {action: 'decline', name: 'Decline'},
  {action: 'cancel', name: 'Cancel'},
];

const OPENED: readonly LinkOption[] = [
  {action: 'continue', name: 'Continue: done, or not needed'},
  {action: 'open_again', name: 'Open again'},
  {action: 'give_up', name: 'Give up: cancel what it is for'},
];

/** Returns the choices, in the order of their numbers. */
export function linkOptions({isOpened}: PendingUrl): readonly LinkOption[] {
  return isOpened ? OPENED : ASKED;
}
