import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import type {Chat} from './chat.ts';

/** Everything stored of unsent text. */
export function storedUnsentText({home}: Chat): string {
  const database = new DatabaseSync(path.join(home, '.local/state/acp-tui/acp-tui.sqlite'), {readOnly: true});
  try {
    return JSON.stringify(database.prepare('SELECT state FROM drafts').all());
  } finally {
    database.close();
  }
}
