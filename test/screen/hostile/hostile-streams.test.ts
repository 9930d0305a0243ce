import {stripVTControlCharacters} from 'node:util';
import * as fc from 'fast-check';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {terminalSignals} from '../../../components/terminal/signals.ts';
import {createTerminalIntegrations} from '../../../components/terminal/integrations.ts';
import {activeSession} from '../../../src/app/sessions.ts';
import type {SessionState} from '../../../src/session/state.ts';
import type {UntimedEvent} from '../../support/session/build.ts';
import {colorTheme} from '../../support/screen/theme.ts';
import {linesOf, viewWhole} from '../../support/screen/whole-transcript.ts';
import {closeWindows, open} from '../../support/screen/window.ts';
import {problemsWith} from './strict-output.ts';
import type {SchemaVersion} from '../../support/hostile/from-schema.ts';
import {streams, type StreamStep} from './streams.ts';
import {wireAgent} from './wired-agent.ts';
import {witness, type Witness} from './witness.ts';

/** Set by `npm run fuzz`. */
const RUNS = Number(process.env['FUZZ_STREAMS'] ?? 12);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_101);

const ABLE = {colors: 3, emphasis: true, hyperlinks: true} as const;

/** acp-tui's own, for debugging. */
const BELL = '\u0007';

interface Played {
  readonly steps: readonly StreamStep[];
  readonly witness: Witness;
  readonly columns: number;
  readonly version: SchemaVersion;
}

/** The window of a user whose agent sends this; everything written to the terminal, and the screen. */
async function play({steps, witness, columns, version}: Played) {
  const window = open({columns, rows: 24}, ABLE);
  const beside: string[] = [];
  const companions = createTerminalIntegrations(
    window.store,
    (data) => beside.push(data),
    terminalSignals({}),
    () => undefined,
  );
  const agent = await wireAgent(window.report, version);
  companions.enter();
  for (const step of steps) {
    if (step.kind === 'keys') window.press(...step.keys);
    else if (step.kind === 'line') await agent.prints(step.line);
    else window.store.dispatch(step.event, 'urgent');
    await window.screen();
  }
  for (const chunk of witness.chunks) {
    window.report(said('calm', chunk));
    await window.screen();
  }
  // During a message, a request may cover its last lines.
  window.report(said('after', 'This is the end.'));
  const {received, everything, bytes, store} = window;
  store.dispatch({type: 'overlay_closed', at: performance.now()}, 'urgent');
  // A request covers lines until it is answered; a lot of output is printed in several steps.
  const isSeen = async () =>
    store.latest().request !== undefined || missingFrom(await everything(), witness.visible).length === 0;
  await vi.waitUntil(isSeen, {timeout: 20_000, interval: 20}).catch(() => undefined);
  agent.end();
  companions.leave();
  const opened = transcriptOf(activeSession(store.latest()).session, columns);
  await window.close();
  const text = await everything();
  return {
    received: received(),
    text,
    opened,
    bytes: bytes(),
    beside: beside.filter((data) => data !== BELL).join(''),
  };
}

function said(messageId: string, text: string): UntimedEvent {
  const content = {type: 'text', text} as const;
  return {type: 'session_update', update: {sessionUpdate: 'agent_message_chunk', messageId, content}};
}

/** The transcript viewer's content. */
function transcriptOf(session: SessionState, columns: number): string {
  const theme = colorTheme({columns, extent: 'whole', terminals: session.terminals});
  return linesOf(viewWhole(session, theme)).join('\n');
}

/** The lines that are missing or out of order. */
function missingFrom(text: string, lines: readonly string[]): string[] {
  let from = 0;
  return lines.filter((line) => {
    const at = text.indexOf(line, from);
    from = Math.max(from, at);
    return at === -1;
  });
}

// The SDK reports every message that it cannot parse.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(closeWindows);

test.each([
  {version: 1, runs: RUNS},
  {version: 2, runs: Math.ceil(RUNS / 3)},
] as const)(
  "$runs hostile streams of version $version write only readable text and acp-tui's own sequences to the terminal",
  {timeout: 180_000 + RUNS * 1000},
  async ({version, runs}) => {
    await fc.assert(
      fc.asyncProperty(
        streams(version),
        witness,
        fc.integer({min: 24, max: 90}),
        async (steps, witness, columns) => {
          const {received, text, opened, bytes, beside} = await play({steps, witness, columns, version});
          await closeWindows();
          expect(problemsWith(bytes, columns)).toEqual([]);
          expect(problemsWith(opened, columns)).toEqual([]);
          expect(problemsWith(beside, Infinity)).toEqual([]);
          expect(received).toEqual([]);
          expect(missingFrom(text, witness.visible)).toEqual([]);
          expect(missingFrom(stripVTControlCharacters(opened), witness.visible)).toEqual([]);
        },
      ),
      {numRuns: runs, seed: SEED, interruptAfterTimeLimit: 170_000 + RUNS * 1000},
    );
  },
);
