import * as fc from 'fast-check';
import {afterEach, expect, test} from 'vitest';
import {createCompanions} from '../../../components/terminal/companions.ts';
import {closeWindows, open} from '../window.ts';
import {problemsWith} from './strict-output.ts';
import {streams, type Step} from './streams.ts';

/** Told by `npm run fuzz`. */
const RUNS = Number(process.env['FUZZ_STREAMS'] ?? 300);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_101);

/** Ours, for who looks elsewhere. */
const BELL = '\u0007';

const CALM = 'calm words of the agent';

/** The window of a user whose agent sends this; everything that was written to the terminal, and what stands there. */
async function play(steps: readonly Step[], columns: number) {
  const window = open({columns, rows: 24}, {colours: 3, hyperlinks: true});
  const beside: string[] = [];
  const companions = createCompanions(window.store, (data) => beside.push(data));
  companions.enter();
  for (const step of steps) {
    if (step.kind === 'keys') window.press(...step.keys);
    else window.store.dispatch(step.event, 'urgent');
    await window.screen();
  }
  window.tell({
    type: 'session_update',
    update: {
      sessionUpdate: 'agent_message_chunk',
      messageId: 'calm',
      content: {type: 'text', text: `\n\n${CALM}\n\n`},
    },
  });
  await window.screen();
  companions.leave();
  await window.close();
  const {heard, everything, bytes} = window;
  return {
    heard: heard(),
    text: await everything(),
    bytes: bytes(),
    beside: beside.filter((data) => data !== BELL).join(''),
  };
}

afterEach(closeWindows);

test(
  `of ${RUNS} hostile streams nothing reaches the terminal but text and our own sequences`,
  {timeout: 60_000 + RUNS * 1000},
  async () => {
    await fc.assert(
      fc.asyncProperty(streams, fc.integer({min: 24, max: 90}), async (steps, columns) => {
        const {heard, text, bytes, beside} = await play(steps, columns);
        await closeWindows();
        expect(problemsWith(bytes, columns)).toEqual([]);
        expect(problemsWith(beside, Infinity)).toEqual([]);
        expect(heard).toEqual([]);
        expect(text).toContain(CALM);
      }),
      {numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: 50_000 + RUNS * 1000},
    );
  },
);
