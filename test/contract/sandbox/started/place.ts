import {existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {onTestFinished, vi} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';
import {environment, openChat, READY, type Chat} from '../../../support/driver/chat.ts';
import {git} from '../../../support/folders/snapshot-folder.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {DEMO} from '../../../support/driver/lend-process.ts';
import {STARTED_IN, startAgentHere} from '../../../support/agent-here.ts';
import {openEditor} from '../../../support/program/editor-client.ts';
import {runHere, runProgram} from '../../../support/program/run-program.ts';
import {prepareSession} from '../../../../src/modes/start/prepared-session.ts';
import {ownSessions} from '../../../../src/service/own-sessions.ts';
import {startService} from '../../../../src/service/server.ts';
import {servicePlace} from '../../../../src/service/socket-place.ts';
import {editorAgent} from '../../modes/acp-agent/open-editor.ts';
import {quoteWords} from '../../../../src/text/shell-quote.ts';

/** Where an agent that was started is. */
export type Where = 'inside' | 'outside' | 'not started';

/** What says that a session is confined. */
export interface By {
  readonly settings: object;
  readonly ofAgent?: object;
  readonly option?: string;
  readonly isStored?: boolean;
}

/** The folders of a home, and an agent of it that only talks. */
function homeOf({settings, ofAgent}: By, spy: (home: string, words: readonly string[]) => object) {
  const home = realpathSync(temporaryFolder());
  const cwd = join(home, 'project');
  const config = join(home, '.config/acp-tui');
  for (const folder of [cwd, config]) mkdirSync(folder, {recursive: true});
  const listed = {sessionId: 'one', cwd, title: 'Spied', updatedAt: '2026-01-01T00:00:00Z'};
  const script: Script = {
    initialize: {
      agentInfo: {name: 'Spy', version: '1.0.0'},
      agentCapabilities: {loadSession: true, sessionCapabilities: {list: {}, resume: {}, fork: {}}},
    },
    results: {'session/list': {sessions: [listed]}, 'session/fork': {sessionId: 'copy'}},
    turns: [[]],
  };
  const words = [process.execPath, FAKE_AGENT, 'script', JSON.stringify(script)];
  writeFileSync(
    join(config, 'config.json'),
    JSON.stringify({
      snapshots: {take: false},
      ...settings,
      agents: {spy: {...spy(home, words), process: 'own', ...ofAgent}},
    }),
  );
  return {home, cwd, env: environmentOf(home)};
}

/** A home with an agent that leaves marks when it starts: one in a folder that its sandbox lets it write, and one outside if it can. */
export function aPlace(by: By) {
  const folders = homeOf(by, (home, words) => {
    const [marks, elsewhere] = [join(home, 'marks'), join(home, 'elsewhere')];
    for (const folder of [marks, elsewhere]) mkdirSync(folder);
    const file = join(home, 'agent.sh');
    writeFileSync(
      file,
      `echo >> ${marks}/started; echo 2>/dev/null >> ${elsewhere}/outside; exec ${quoteWords(words)}`,
    );
    return {command: quoteWords(['sh', file]), sandboxFolders: [marks]};
  });
  const elsewhere = join(folders.home, 'elsewhere');
  const [started, outside] = [join(folders.home, 'marks/started'), join(elsewhere, 'outside')];
  const where = (): Where => {
    if (!existsSync(started)) return 'not started';
    return existsSync(outside) && readFileSync(outside, 'utf8') !== '' ? 'outside' : 'inside';
  };
  const forget = () => [started, outside].forEach((path) => rmSync(path, {force: true}));
  return {...folders, elsewhere, where, forget, isHere: false};
}

/** A home with an agent that runs in the process of the test, which notes whether it was to be started in a sandbox. */
export function aPlaceHere(by: By): Place {
  const noteOf = (home: string) => join(home, 'started');
  const folders = homeOf(by, (home, words) => ({
    command: quoteWords(words),
    env: {[STARTED_IN]: noteOf(home)},
    sandboxFolders: [],
  }));
  const note = noteOf(folders.home);
  return {
    ...folders,
    where: () => (existsSync(note) ? (readFileSync(note, 'utf8') as Where) : 'not started'),
    forget: () => rmSync(note, {force: true}),
    isHere: true,
  };
}

/** The environment of the program in a home: with its own folders there. */
export function environmentOf(home: string): Record<string, string> {
  return environment(home, {
    ACP_TUI_CONFIG_DIR: join(home, '.config/acp-tui'),
    ACP_TUI_STATE_DIR: join(home, '.local/state/acp-tui'),
    ACP_TUI_DATA_DIR: join(home, '.local/share/acp-tui'),
    ACP_TUI_CACHE_DIR: join(home, '.cache/acp-tui'),
  });
}

export type Place = Omit<ReturnType<typeof aPlace>, 'elsewhere'>;

/** Runs a command in the process of the test. */
export const here = ({cwd, env}: Place, ...args: string[]) => runHere(args, {cwd, env});

/** Runs a command in the background, or of it: the built program, or, where the agent is, in the process of the test. */
export const program = ({cwd, env, isHere}: Place, ...args: string[]) =>
  isHere ? runHere(args, {cwd, env}) : runProgram(args, {cwd, env, input: ''});

/** The background service, where the agent runs in the process of the test; otherwise the program starts it. */
export async function openServiceThere({home, env, isHere}: Place): Promise<void> {
  if (!isHere) return;
  stubEnvironment(env);
  const place = servicePlace(join(home, '.local/state/acp-tui'));
  const service =
    place.ok &&
    (await startService({
      socket: place.value.socket,
      log() {},
      startAgent: startAgentHere,
      prepare,
      lingerMs: 60_000,
      idleMs: 60_000,
      maxUnread: 10_000,
    }));
  if (!service || !service.ok) throw new Error('no service');
  onTestFinished(() => service.value.end());
}

/** Makes the workspace a repository with a commit, as worktrees are made from. */
export function makeRepository({cwd}: Pick<Place, 'cwd'>): void {
  git(cwd, 'init', '-q');
  git(
    cwd,
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.org',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'first',
  );
}

/** Opens a window, once its session is open. */
export async function openWindowThere(
  {home, cwd}: Place,
  args: readonly string[],
  agent?: string,
): Promise<Chat> {
  const chat = openChat({home, cwd, columns: 100, args, ...(agent !== undefined && {agent})});
  await chat.sees(READY);
  return chat;
}

export function storedId({home}: Place): string {
  const [file = ''] = readdirSync(join(home, '.local/state/acp-tui/sessions'));
  return basename(file, '.ndjson');
}

/** Opens a window on the session that runs in the background. */
export async function attachWindow(
  {home, cwd, isHere = false}: Pick<Place, 'home' | 'cwd'> & Partial<Pick<Place, 'isHere'>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Chat> {
  const chat = openChat({home, cwd, env, columns: 100, args: ['attach'], ownProcess: !isHere});
  await chat.sees(READY);
  return chat;
}

/** An editor that uses `acp-tui acp`, which runs in the process of the test. */
export async function openEditorThere({cwd, env}: Place, args: readonly string[]) {
  stubEnvironment(env);
  const agent = editorAgent(
    ['--no-background', ...args],
    ownSessions({log() {}, prepare, startAgent: startAgentHere}),
  );
  onTestFinished(async () => void (await agent.close()));
  return openEditor(agent, {cwd});
}

const prepare: Parameters<typeof ownSessions>[0]['prepare'] = (start, reserve) =>
  prepareSession(start, {demoCommand: DEMO, reserve});

/** Until the end of the test. */
function stubEnvironment(env: Place['env']): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}
