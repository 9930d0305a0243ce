import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {createTurnSnapshots} from '../../../../src/snapshots/turn-snapshots.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {idle, type OpenedConversation} from '../open-conversation.ts';

/** Snapshots in a state folder of their own. */
export function patient() {
  const state = temporaryFolder();
  const openSnapshots: ConversationOptions['openSnapshots'] = (of) =>
    createTurnSnapshots({...of, state, keepDays: 1});
  return {state, openSnapshots};
}

/** Sends a prompt; resolves at the end of its turn. */
export async function turn({prompt, until, state}: OpenedConversation, text: string): Promise<void> {
  const last = state().lastTurn?.turn;
  prompt(text);
  await until((now) => idle(now) && now.lastTurn?.turn !== last, `the end of ${text}`);
}
