import * as fc from 'fast-check';
import {afterEach, expect, test} from 'vitest';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {sanitize} from '../../../src/text/sanitize.ts';
import {closeWindows, open} from '../../support/screen/window.ts';
import {approved, notShown, readRequest} from './approved.ts';

/** Set by `npm run fuzz`. */
const RUNS = Number(process.env['FUZZ_STREAMS'] ?? 12);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_101);

afterEach(closeWindows);

/** The screens of all pages of this request. */
async function screenOf(toolCall: acp.ToolCallUpdate, columns: number): Promise<string> {
  const window = open({columns, rows: 24});
  window.report({
    type: 'permission_requested',
    id: 'p',
    request: {sessionId: 's', toolCall, options: [{optionId: 'yes', name: 'Yes', kind: 'allow_once'}]},
  });
  await expect.poll(() => window.store.latest().request?.scroll.totalRows).toBeGreaterThan(0);
  const screen = await readRequest(window);
  await closeWindows();
  return screen;
}

test(
  `${RUNS} requests with hidden payloads show everything that will run, character by character`,
  {timeout: 180_000 + RUNS * 1000},
  async () => {
    await fc.assert(
      fc.asyncProperty(approved, fc.integer({min: 40, max: 100}), async ({toolCall, parts}, columns) => {
        expect(notShown(await screenOf(toolCall, columns), parts)).toEqual([]);
      }),
      {numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: 170_000 + RUNS * 1000},
    );
  },
);

test('the witness detects when a part of what will run is left out', async () => {
  const command = 'ls -la \x1b]0;touch x;#\x07';
  const toolCall = {toolCallId: 'a', title: 'List', kind: 'execute' as const, rawInput: {command}};
  expect(notShown(await screenOf(toolCall, 80), [command])).toEqual([]);
  for (const left of [sanitize(command), command.replace(/\x1b.*/, ''), 'ls  -la', 'ls -la ␛]0;touch x;#␇']) {
    const hiding = {...toolCall, rawInput: {command: left}};
    expect(notShown(await screenOf(hiding, 80), [command])).toEqual([command]);
  }
});
