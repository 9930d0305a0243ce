import type {Chat} from './chat.ts';

/** The text of an agent's permission request, with or without the focus. */
export const ASKS = /Allow this (?:command|change|tool call)\?/;

/** The text of a request without the focus. */
export const WAITS = 'Request waiting · Tab answer';

/** Returns the focus and takes it again: from then on every key counts. */
export async function focusRequest(chat: Chat, lit: string): Promise<void> {
  await chat.sees(lit);
  chat.press('escape');
  // Other news may be in place of the text for a moment.
  await chat.until(() => chat.screen().includes(WAITS) || !chat.screen().includes(lit), 'to lose the focus');
  chat.press('tab');
  await chat.sees(lit);
}
