import {expect, test} from 'vitest';
import {newHome} from '../../../support/driver/chat.ts';
import {askToRun, openPuppet, type PuppetChat} from '../../../support/driver/puppet.ts';

/** What is shown while the request can be allowed. */
const LIT = 'why am I asked';

interface Size {
  readonly rows?: number;
  readonly columns?: number;
}

/** A home whose settings define what must be read. */
function homeWith(requireReading: string): string {
  return newHome({requireReading});
}

/** A chat in which the agent requests a command of many lines, and the request has the focus. */
async function openLong(size: Size = {rows: 20}, home?: string): Promise<PuppetChat> {
  const chat = await openPuppet({...size, ...(home !== undefined && {home})});
  await chat.begin();
  chat.type('x');
  const lines = Array.from({length: 50}, (_, line) => `echo line-${line}`);
  chat.report(askToRun(lines.join('\n')), {end: 'end_turn'});
  await chat.sees('Needs you · Tab answer');
  chat.press('tab');
  return chat;
}

/** Reads page by page until the request can be allowed. */
async function readToEnd(chat: PuppetChat): Promise<void> {
  const left = () => Number(/(\d+) lines? left/.exec(chat.screen())?.[1] ?? 0);
  while (!chat.screen().includes(LIT)) {
    const before = left();
    chat.type(' ');
    await chat.until(() => left() < before, `fewer than ${before} lines to be left`);
  }
}

test('a long command is allowed only after every page of it, with or without End', async () => {
  const chat = await openLong();
  await chat.sees('Read it all to allow (Space/PgDn)');
  chat.press('end');
  await chat.sees('echo line-49');
  await chat.sees('lines left · n reject');
  chat.type('y');
  await chat.sees('Read the rest before allowing');
  expect(chat.history()).not.toContain('request: yes');
  await readToEnd(chat);
  chat.type('y');
  await chat.hasSeen('request: yes');
});

test('a window that becomes narrower shows other lines, which must be read again', async () => {
  const chat = await openLong({rows: 20, columns: 100});
  await chat.sees('Read it all to allow');
  await readToEnd(chat);
  chat.resize(60, 20);
  await chat.sees('Read it all to allow');
  chat.type('y');
  await chat.sees('Read the rest before allowing');
  expect(chat.history()).not.toContain('request: yes');
  await readToEnd(chat);
  chat.type('y');
  await chat.hasSeen('request: yes');
});

test('"requireReading": "none" is read as the default, and reported', async () => {
  const chat = await openLong({rows: 20}, homeWith('none'));
  await chat.sees('Read it all to allow');
  expect(chat.history().replaceAll(/\s+/g, ' ')).toContain('not "none"; it is ignored. The default applies.');
  chat.type('y');
  await chat.sees('Read the rest before allowing');
  expect(chat.history()).not.toContain('request: yes');
});
