import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import type {Script} from '../../../fixtures/fake-agent/scenarios/script.ts';
import type {SessionActions} from '../../../src/session/actions.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {randomNumbers} from '../../support/folders/story.ts';
import {asks, openService, says} from './open-service.ts';

/** `npm run fuzz` uses a higher number, and another seed. */
const COUNT = Math.max(300, Number(process.env['FUZZ_STREAMS'] ?? 0));
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/** All but the one that ends the session. */
const actions = Object.keys({
  changeQueue: true,
  sendWithoutSnapshot: true,
  cancelSubagent: true,
  cancelTask: true,
  cancel: true,
  answer: true,
  askUser: true,
  runShell: true,
  expandCommand: true,
  saveCommand: true,
  interruptCommand: true,
  typeInto: true,
  stopCommand: true,
  setMode: true,
  setModel: true,
  setConfigOption: true,
  authenticate: true,
  logOut: true,
  setApproval: true,
  sessionGrants: true,
  takeBack: true,
  openSession: true,
  restart: true,
  listSessions: true,
  renameSession: true,
  changeSession: true,
  addDirectory: true,
  addSandboxFolder: true,
  runStatusCommand: true,
  planUndo: true,
  undo: true,
  rewindPoints: true,
  planRewind: true,
  rewind: true,
  review: true,
  changeReview: true,
  saveReviewComments: true,
  listProviders: true,
  configureProvider: true,
  listMcpServers: true,
  toggleMcpServer: true,
  notified: true,
  stderrTail: true,
  limitUses: true,
} satisfies Record<Exclude<keyof SessionActions, 'close'>, true>);

const JUNK = [
  null,
  undefined,
  0,
  -1,
  Number.MAX_VALUE,
  true,
  '',
  'x',
  '__proto__',
  [],
  [null],
  {},
  {kind: 'nonsense'},
  {kind: 'submit'},
  {kind: 'submit', prompt: {text: 1, content: null}, place: 'last'},
  {kind: 'restore', prompts: [{}], outputs: null},
  {kind: 'edit', id: {}},
  {kind: 'option', index: 'first'},
  {kind: 'continue', sessionId: 7},
  {point: null, now: {}},
];

const TALKS: Script = {turns: [[says('before'), ...asks('one'), says('after')]]};

test(`${COUNT} calls that make no sense change nothing for other sessions`, async () => {
  const random = randomNumbers(SEED);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  const {start, attach, client, service} = await openService(TALKS);
  // In another folder it has an agent of its own.
  const [hit, spared] = [await start('go'), await start('go', temporaryFolder())];
  const window = await attach(spared);
  await window.until(({pending}) => pending.length === 1);
  const caller = await client();
  for (let count = 0; count < COUNT; count++) {
    const args = Array.from({length: Math.floor(random() * 3)}, () => pick(JUNK));
    // Not all return: a question waits for its answer.
    caller.call({key: hit, action: pick(actions) as 'cancel', args}).catch(() => undefined);
    if (count % 10 === 0) await setImmediate();
  }
  const [request] = window.state().pending;
  void window.actions.answer(request?.id ?? '', {kind: 'option', index: 0});
  await window.until(({turn}) => turn.kind === 'idle');
  expect(window.said()).toBe('beforeafter');
  const known = await (await client()).list();
  expect(known.map(({id}) => id)).toContain(spared);
  await service.end();
});
