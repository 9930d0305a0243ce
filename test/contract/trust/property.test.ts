import {copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import {createSessionHost} from '../../../src/conversation/connection/session-host.ts';
import type {HostResponse, Host} from '../../../src/host/services.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import {quoteWord} from '../../../src/text/shell-quote.ts';
import {closeWindows, open, type Window} from '../../support/screen/window.ts';
import {FILE_A, runOf, toolCallOf, writeOf} from './attempts.ts';
import {answer, read, type ScreenReading} from './read-screen.ts';
import {makeSandbox, type Ran, type Sandbox} from './sandbox.ts';
import {conversationDefaults} from '../conversation/conversation-defaults.ts';
import {ALLOW, OPTIONS} from './stage.ts';
import {story, type StoryRequest, type Attempt, type Story} from './stories.ts';

const never = new AbortController().signal;

/** A request that the user allowed; it covers one use of each of its effects. */
interface Yes {
  readonly drawn: ScreenReading;
  /** Which of them have happened. */
  readonly used: Set<string>;
}

interface Scene {
  readonly sandbox: Sandbox;
  readonly window: Window;
  readonly host: Host;
  readonly emit: (event: SessionEvent) => void;
  /** What the user allowed. */
  yes: Yes[];
}

/** The host of one session behind a window, as a client has it, without an agent process. */
function openScene(): Scene {
  const sandbox = makeSandbox({}, ['deploy']);
  const {cwd} = sandbox;
  const window = open(
    {columns: 160, rows: 60},
    {},
    {
      cwd,
      perform: (effect) => {
        if (effect.kind === 'call' && effect.action === 'answer') void host.answer(...effect.args);
      },
    },
  );
  const emit = (event: SessionEvent) =>
    window.store.dispatch({type: 'session', key: 'one', event, at: performance.now()});
  const agent = {label: 'test', command: '', args: [], env: {}};
  const host = createSessionHost(
    {...conversationDefaults, agent, cwd},
    {
      log: () => undefined,
      state: () => window.store.latest().sessions['one']!.session,
      emit,
    },
  );
  onTestFinished(async () => {
    await host.terminals.closeAll();
    await closeWindows();
  });
  return {sandbox, window, host, emit, yes: []};
}

/** Answers every request with this key until the work is done; `whileAsked` runs once, before the first key. */
async function withUser<T>(
  scene: Scene,
  work: Promise<T>,
  {keys, whileAsked}: {readonly keys: readonly string[]; readonly whileAsked?: () => void},
): Promise<T> {
  const {window} = scene;
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  let answered = 0;
  for (;;) {
    await expect.poll(() => isDone || window.store.latest().request !== undefined, {interval: 5}).toBe(true);
    if (isDone) return done;
    await read(window);
    if (answered === 0) whileAsked?.();
    const key = keys[Math.min(answered++, keys.length - 1)]!;
    const drawn = await answer(window, key);
    if (key === ALLOW) scene.yes.push({drawn, used: new Set()});
  }
}

function prepare({sandbox: {base, cwd}}: Scene): void {
  for (const name of ['a', 'b', 'sub', 'was', 'sh']) rmSync(join(cwd, name), {recursive: true, force: true});
  mkdirSync(join(cwd, 'sub'));
  writeFileSync(join(cwd, 'a'), FILE_A);
  copyFileSync(join(base, 'bin', 'deploy'), join(cwd, 'sh'));
}

/** The agent requests something, and the user answers, whatever happens meanwhile. */
async function ask(scene: Scene, {asked, meanwhile, keys}: Story): Promise<void> {
  const {host, emit, sandbox} = scene;
  const {cwd} = sandbox;
  const toolCallId = 'call';
  const request = (each: StoryRequest) =>
    host.requestPermission(
      {request: {sessionId: 's', toolCall: {toolCallId, ...toolCallOf(each, cwd)}, options: OPTIONS}},
      never,
    );
  const all: Promise<unknown>[] = [request(asked[0])];
  const actions: Readonly<Record<Story['meanwhile'], () => void>> = {
    nothing: () => undefined,
    update() {
      const update = {toolCallId, ...toolCallOf(asked[1], cwd)};
      emit({type: 'session_update', update: {sessionUpdate: 'tool_call_update', ...update}, at: Date.now()});
      host.toolCallUpdated('s', update);
    },
    'second request': () => void all.push(request(asked[1])),
    save: () => save(scene, 'l7000l\n'),
    folder: () => exchangeFolder(cwd),
  };
  await withUser(scene, all[0]!, {keys: [keys[0]], whileAsked: actions[meanwhile]});
  await withUser(scene, Promise.all(all), {keys: [keys[1]]});
}

function save({sandbox: {cwd}}: Scene, text: string): void {
  writeFileSync(join(cwd, 'a'), text);
}

function exchangeFolder(cwd: string): void {
  renameSync(join(cwd, 'sub'), join(cwd, 'was'));
  symlinkSync('was', join(cwd, 'sub'));
}

/** The agent tries something; its effects must have been allowed. */
async function attempt(scene: Scene, asked: StoryRequest, attempt: Attempt): Promise<void> {
  const {host, sandbox} = scene;
  const {key, saves, does, twist} = attempt;
  const {cwd, files, ran} = sandbox;
  const user = {keys: [key], ...(saves && {whileAsked: () => save(scene, 'l7001l\n')})};
  if (does === 'run') {
    const before = ran().length;
    const created = await withUser(
      scene,
      host.createTerminal({sessionId: 's', ...runOf(asked, twist, cwd)}, never),
      user,
    );
    if (created.ok) await host.terminals.waitForExit(created.value.terminalId, never);
    for (const each of ran().slice(before)) vouchForRun(scene, each, twist === 'variable');
    return;
  }
  const {path, content} = writeOf(asked, twist, cwd);
  const writing: Promise<HostResponse<unknown>> = host.write({sessionId: 's', path, content}, never);
  let before = files();
  // A save by the user is no effect of the agent.
  const written = await withUser(scene, writing, {
    ...user,
    whileAsked() {
      user.whileAsked?.();
      before = files();
    },
  });
  const name = path.slice(cwd.length + 1);
  const after = files();
  if (!written.ok) expect(after).toEqual(before);
  if (after[name] !== before[name])
    vouchForWrite(scene, {name, before: before[name] ?? '', after: after[name] ?? ''});
}

/** Uses up an approval whose frames contain this effect. */
function vouch({yes}: Scene, effect: string, holds: (drawn: ScreenReading) => boolean): void {
  const found = yes.find(({drawn, used}) => !used.has(effect) && holds(drawn));
  if (!found) throw new Error(`Nobody approved: ${effect}\n${yes.map(textOf).join('\n')}`);
  found.used.add(effect);
}

function textOf({drawn, used}: Yes): string {
  return `Approved${used.size === 0 ? '' : `, and done: ${[...used].join(', ')}`}:\n${drawn.text}`;
}

/** Every word was in one line, at its end, with the folder and the variable if any. */
function vouchForRun(scene: Scene, {cwd, argv}: Ran, hasVariable: boolean): void {
  const line = argv.map(quoteWord).join(' ');
  const isInSub = cwd !== scene.sandbox.cwd;
  vouch(scene, `run ${line} in ${cwd}`, (drawn) => {
    const isWhole = drawn.rows.some((row) => /[ '/]$/.test(withoutEnd(row.trimEnd(), line)));
    const folders = new Set(drawn.text.match(/\/project\/(?:sub|was)\b/g));
    const namesFolder = isInSub ? drawn.shows(cwd) : folders.size === 0;
    return isWhole && namesFolder && (!hasVariable || drawn.shows('EXTRA=w8002w'));
  });
}

/** What is in a row before the line that ends it, perhaps as the last word of a shell command; empty if it ends differently. */
function withoutEnd(row: string, line: string): string {
  const end = [line, `${line}'`].find((each) => row.endsWith(each));
  return end === undefined ? '' : row.slice(0, -end.length);
}

/** Added and removed lines were shown, line by line, and no others. */
function vouchForWrite(
  scene: Scene,
  {name, before, after}: {name: string; before: string; after: string},
): void {
  const had = linesOf(before);
  const has = linesOf(after);
  vouch(scene, `write ${JSON.stringify({name, before, after})}`, (drawn) => {
    const shown = drawn.tokens('l');
    const changed = [
      ...has.filter((line) => !had.includes(line)),
      ...had.filter((line) => !has.includes(line)),
    ];
    return drawn.shows(name) && changed.every((line) => shown.has(line));
  });
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

/** Most of the time of a story is the user's, so several run at once. */
const SCENES = 4;
/** A tenth of the streams of `npm run fuzz`. */
const STORIES = Number(process.env['FUZZ_STREAMS'] ?? 120) / 10;

test(
  'everything written or run was drawn in full in the frame before the answering key',
  async () => {
    const {seed} = fc.readConfigureGlobal();
    const scenes = Array.from({length: SCENES}, openScene);
    const reported = scenes.map((scene, index) =>
      fc.check(
        fc.asyncProperty(story, (each) => report(scene, each)),
        {
          numRuns: Math.ceil(STORIES / SCENES),
          interruptAfterTimeLimit: 50_000 + STORIES * 5_000,
          ...(seed !== undefined && {seed: seed + index}),
        },
      ),
    );
    const failed = (await Promise.all(reported)).filter((result) => result.failed);
    expect(failed.map((result) => fc.defaultReportMessage(result))).toEqual([]);
  },
  60_000 + STORIES * 5_000,
);

async function report(scene: Scene, reported: Story): Promise<void> {
  prepare(scene);
  scene.yes = [];
  scene.host.turnStarted();
  await ask(scene, reported);
  for (const each of reported.attempts) await attempt(scene, reported.asked[each.of]!, each);
}
