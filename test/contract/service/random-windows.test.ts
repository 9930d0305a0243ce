import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import type {Script, ScriptStep} from '../../../fixtures/fake-agent/scenarios/script.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {randomNumbers} from '../../support/folders/story.ts';
import {asks, openService, says, type TestWindow} from './open-service.ts';

/** `npm run fuzz` uses a higher number, and another seed. */
const COUNT = Math.max(25, Number(process.env['FUZZ_STREAMS'] ?? 0) / 20);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

const words = (count: number) => Array.from({length: count}, (_, index) => says(`w${index} `));
/** The IDs of requests and calls differ from turn to turn. */
const turn = (number: number): readonly ScriptStep[] => [
  ...words(12),
  ...asks(`a${number}`),
  ...words(12),
  ...asks(`b${number}`),
  says('end of turn\n'),
];

const isAtRest = ({turn, queue, connection}: SessionState) =>
  turn.kind === 'idle' && queue.prompts.length === 0 && !queue.isSending && connection.kind === 'ready';

const entriesOf = (window: TestWindow) => [...window.state().entries];
const transcript = (window: TestWindow) => JSON.stringify(entriesOf(window));

function answerOldest(window: TestWindow, index: number): void {
  const [request] = window.state().pending;
  if (request) void window.actions.answer(request.id, {kind: 'option', index});
}

test(`${COUNT} windows that come, act and go at random moments lose, double and repeat nothing`, async () => {
  const random = randomNumbers(SEED);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  // The script is one argument, whose length is limited.
  const prompts = Math.min(25, Math.ceil(COUNT / 5));
  const script: Script = {turns: Array.from({length: prompts + 1}, (_, index) => turn(index))};
  const {start, attach} = await openService(script);
  const id = await start('prompt 0');
  const witness = await attach(id);
  const windows = [witness];
  let submitted = 1;
  let came = 0;
  while (came < COUNT) {
    for (let pause = Math.floor(random() ** 3 * 30); pause > 0; pause--) await setImmediate();
    const what = random();
    const window = pick(windows);
    if (what < 0.4) {
      windows.push(await attach(id));
      came++;
    } else if (what < 0.78 && window !== witness) {
      windows.splice(windows.indexOf(window), 1);
      window.leave();
    } else if (what < 0.84) answerOldest(window, random() < 0.5 ? 0 : 1);
    else if (submitted <= prompts) {
      const text = `prompt ${submitted++}`;
      const prompt = {text, content: [{type: 'text' as const, text}]};
      // Not awaited: the window may be gone before the answer.
      void window.actions.changeQueue({kind: 'submit', prompt, place: 'last'});
    }
  }
  // Two windows answer the rest, often both at once.
  const helper = pick(windows);
  while (!isAtRest(witness.state())) {
    answerOldest(witness, 0);
    answerOldest(helper, 1);
    await setImmediate();
  }
  const late = await attach(id);
  await Promise.all(windows.map((window) => window.until(isAtRest)));
  expect(new Set([late, ...windows].map(transcript)).size).toBe(1);

  const sent = entriesOf(late).flatMap((entry) => (entry.type === 'user_message' ? [entry] : []));
  const texts = sent.map(({content: [block]}) => (block?.type === 'text' ? block.text : ''));
  // Windows that were gone before their prompt arrived have not sent it; no other one is missing, and none is there twice.
  expect(texts).toEqual([...new Set(texts)]);
  expect(late.said().match(/end of turn/g)).toHaveLength(texts.length);
  const decided = entriesOf(late).filter((entry) => entry.type === 'tool_call' && entry.permission);
  expect(decided).toHaveLength(2 * texts.length);
}, 600_000);
