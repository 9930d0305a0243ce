import type {Chat} from './chat.ts';

/** What a request for permission of an agent says, whether it has the keyboard or not. */
export const ASKS = /Allow this (?:command|change|tool call)\?/;

/** What a request that has no keyboard says. */
export const WAITS = 'Request pending · Tab answer';

/** What has taken the keyboard by itself gives it back and gets it again: from then on every key counts. */
export async function giveKeyboard(chat: Chat, lit: string): Promise<void> {
  await chat.sees(lit);
  chat.press('escape');
  await chat.sees(WAITS);
  chat.press('tab');
  await chat.sees(lit);
}
