import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as milliseconds} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {randomNumbers} from '../../support/folders/story.ts';
import {
  fakeAgent,
  openChat,
  openReady,
  READY,
  temporaryFolder,
  type Chat,
  promptWith,
  selectHighlighted,
} from '../../support/driver/chat.ts';
import {storedUnsentText} from '../../support/driver/stored.ts';

/** `npm run kill` uses a higher number. */
const COUNT = Number(process.env['KILLS'] ?? 2);
const FIRST_SEED = Number(process.env['KILL_SEED'] ?? 1);
const seeds = Array.from({length: COUNT}, (_, round) => FIRST_SEED + round);

const PAINTED = /messages are queued|Ask anything/;
const OFFER = 'A session of this folder was interrupted';
/** The title of a panel, which is also what is left of it when it is closed. */
const RESEND = /^─ The last prompt was interrupted/m;

test.each(seeds)('what was on the screen is stored after kill -9 at any point (%s)', async (seed) => {
  const random = randomNumbers(seed);
  const where = {home: temporaryFolder('home'), agent: fakeAgent('stories'), columns: 100, rows: 40};
  const first = openChat(where);
  // Sometimes before anything can be typed.
  if (random() > 0.1) await first.sees(READY);
  void typeOn(first, seed, random);
  await milliseconds(random() * 2500);
  const shown = unsentIn(first);
  // Typed text may be stored a little later than it is shown, see docs/internals/reliability.md; typing continues meanwhile.
  await first.until(() => shown.every((text) => isStored(first, text)), 'what is typed to be stored');
  first.signal('SIGKILL');
  await first.ended();

  const said = first.history();
  const sent = said.match(/^▌ prompt \d+ of \d+$/gm) ?? [];
  const kept = [...wordsOf(said), ...sent, ...shown];
  const second = openChat({...where, cwd: first.cwd});
  if (/^▌ prompt/m.test(said)) {
    await selectHighlighted(second, OFFER);
    await second.noLongerSees(OFFER);
  }
  const missing = () => kept.filter((text) => !second.history().includes(text));
  const isThere = () => missing().length === 0;
  await second.until(() => isThere() || RESEND.test(second.screen()), 'for all that was shown').catch(ignore);
  // Rows that a panel covers return when it closes.
  if (!isThere()) second.press('escape');
  await second.until(isThere, 'for all that was shown').catch(ignore);
  expect(
    missing(),
    `of what was shown when it was killed:\n${said}\n\nNow there is:\n${second.history()}`,
  ).toEqual([]);
});

test('rows that the offer to resend a prompt covers return when it closes', async () => {
  const lines = Array.from({length: 60}, (_, index) => `w1x${index}`);
  const text = lines.join('\n\n');
  const update = {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}};
  const script = {
    initialize: {agentCapabilities: {sessionCapabilities: {resume: {}}}},
    results: {'session/resume': {}},
    turns: [[{update}, {cancelled: true}]],
  };
  const where = {home: temporaryFolder('home'), agent: fakeAgent('script', JSON.stringify(script))};
  const first = await openReady(where);
  first.type('go\r');
  await first.until(() => lines.slice(0, -1).every((line) => first.history().includes(line)), 'the answer');
  first.signal('SIGKILL');
  await first.ended();

  const second = openChat({...where, cwd: first.cwd});
  await selectHighlighted(second, OFFER);
  await second.sees(RESEND);
  await second.sees('Interrupted before the turn ended');
  const missing = () => lines.filter((line) => !second.history().includes(line));
  expect(missing()).not.toEqual([]);
  second.press('escape');
  await second.until(() => missing().length === 0, 'for all that was shown');
});

/** Types prompts one after the other, letter by letter; those sent during a turn are queued. */
async function typeOn(chat: Chat, seed: number, random: () => number): Promise<void> {
  // Before that only the terminal has it.
  const isDrawn = () => PAINTED.test(chat.screen());
  await chat.until(() => isDrawn() || chat.exit !== undefined, 'the first frame');
  for (let number = 1; !chat.exit; number++) {
    const text = `prompt ${number} of ${seed}`;
    for (const letter of text) {
      chat.type(letter);
      await milliseconds(random() * 30);
    }
    const isTyped = () => promptWith(text).test(chat.screen());
    await chat.until(() => isTyped() || chat.exit !== undefined, 'what was typed');
    chat.press('enter');
    await chat.until(() => !isTyped() || chat.exit !== undefined, 'it to be sent');
    await milliseconds(random() * 600);
  }
}

function ignore(): void {}

/** Unsent text, in the prompt and in the queue. */
function unsentIn(chat: Chat): readonly string[] {
  return chat.screen().match(/(?<=^(?:\s*❯? ?\d+ |│ ❯ )?)pr\w*(?: \d+(?: of?(?: \d+)?)?)?(?= *│?$)/gm) ?? [];
}

/** As a draft, or as what was sent meanwhile. */
function isStored(chat: Chat, text: string): boolean {
  return (
    draftsOf(chat).includes(text) ||
    sessionFiles(chat).some((file) => readFileSync(file, 'utf8').includes(text))
  );
}

/** Nothing before the database exists. */
function draftsOf(chat: Chat): string {
  try {
    return storedUnsentText(chat);
  } catch {
    return '';
  }
}

function sessionFiles({home}: Chat): readonly string[] {
  return globSync(join(home, '.local/state/acp-tui/sessions/*.ndjson'));
}

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.match(/\bw\d+x\d+\b/g))];
}
