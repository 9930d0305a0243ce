import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {onTestFinished} from 'vitest';
import {
  endedTurns,
  environment,
  openChat,
  PROGRAM,
  READY,
  temporaryFolder,
  untilTurnsEnd,
  type Chat,
} from '../support/driver/chat.ts';
import {endProcesses} from '../support/driver/processes.ts';
import type {Report} from '../../src/modes/doctor/report.ts';
import type {AnyAgentName} from './lab/agents.ts';
import {LAB} from './lab/folder.ts';

const script = fileURLToPath(new URL('lab/agent.ts', import.meta.url));

/** The content of `notes.md` in every test's folder; the scripted model edits its second line. */
export const NOTES = '# Notes\n\nline one\nline two\nline three\n';

export interface PrintRun {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** The folder in which the agent worked. */
  readonly cwd: string;
}

/** `acp-tui -p` with a real agent in its own folder, until it exits. */
export function printOnce(name: AnyAgentName, ...args: readonly string[]): Promise<PrintRun> {
  return printOnceWith(name, {}, ...args);
}

/** The same with these user settings. */
export async function printOnceWith(
  name: AnyAgentName,
  settings: object,
  ...args: readonly string[]
): Promise<PrintRun> {
  const home = homeWith(settings);
  const cwd = projectIn(home);
  const ran = await execa(process.execPath, [PROGRAM, '-p', '--agent', agentLine(name, home), ...args], {
    cwd,
    env: {...environment(home), ACP_TUI_LAB: LAB},
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    stripFinalNewline: false,
  });
  return {exitCode: ran.exitCode, stdout: ran.stdout, stderr: ran.stderr, cwd};
}

/** With LIVE_SANDBOX=1, every agent runs in a sandbox. */
export const IN_SANDBOX = process.env['LIVE_SANDBOX'] === '1';
const SANDBOX = IN_SANDBOX ? {sandbox: 'on', network: 'open', sandboxFolders: ['~']} : {};

/** With LIVE_PROTOCOL=2, every agent is offered version 2 of the protocol. */
const PROTOCOL = process.env['LIVE_PROTOCOL'] === '2' ? {protocol: '2'} : {};

/** A home folder with these user settings. */
export function homeWith(settings: object): string {
  const home = temporaryFolder('home');
  const config = path.join(home, '.config/acp-tui');
  mkdirSync(config, {recursive: true});
  writeFileSync(path.join(config, 'config.json'), JSON.stringify({...SANDBOX, ...PROTOCOL, ...settings}));
  return home;
}

/** The doctor's findings for a real agent. */
export async function examineRealAgent(name: AnyAgentName): Promise<Report> {
  const home = temporaryFolder(name);
  const ran = await execa(
    process.execPath,
    [PROGRAM, 'doctor', agentLine(name, home), '--prompt', '--json'],
    {
      cwd: home,
      env: {...environment(home), ACP_TUI_LAB: LAB},
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    },
  );
  return JSON.parse(ran.stdout) as Report;
}

/** A chat with a real agent in a pseudo-terminal, once the session is open. */
export function chatWith(name: AnyAgentName, ...args: readonly string[]): Promise<Chat> {
  return chatIn(homeWith({}), name, ...args);
}

/** The same in a home with files of the test's; the project is the folder `project` in it. */
export async function chatIn(home: string, name: AnyAgentName, ...args: readonly string[]): Promise<Chat> {
  const cwd = projectIn(home);
  const agent = agentLine(name, home);
  // After acp-tui was killed, some adapters run on.
  onTestFinished(() => endProcesses(agentHome(home)));
  const chat = openChat({agent, args, home, cwd, rows: 40, env: {ACP_TUI_LAB: LAB}});
  await chat.sees(READY, 60);
  return chat;
}

/** Types a prompt and sends it. */
export function say(chat: Chat, text: string): void {
  chat.type(text);
  chat.press('enter');
}

/** Sends a prompt and waits until its answer and the end of its turn are drawn. */
export async function ask(chat: Chat, text: string, answer: string | RegExp): Promise<void> {
  const before = endedTurns(chat);
  say(chat, text);
  await chat.hasSeen(answer, 60);
  await untilTurnsEnd(chat, before + 1);
  await isIdle(chat);
}

export async function isIdle(chat: Chat): Promise<void> {
  await chat.noLongerSees(/Working|Esc cancel\b/, 60);
}

/** Answers a permission request with the option of this label, with arrow keys and Enter. */
export async function answer(chat: Chat, option: RegExp): Promise<void> {
  await chat.sees('why am I asked', 60);
  // Its number, its letter if it has one, and what it says.
  const options = [...chat.screen().matchAll(/(?<=[│❯ ] )\d {2}[a-z ] {2}(.*?)(?= {3}| +│)/g)].map(
    ([, text = '']) => text,
  );
  const wanted = options.findIndex((text) => option.test(text));
  if (wanted === -1) throw new Error(`no option ${option} on the screen\n${chat.screen()}`);
  for (let row = 0; row < options.length && !isMarked(chat, wanted + 1); row++) {
    const before = chat.screen();
    chat.press('down');
    await chat.until(() => chat.screen() !== before, 'the mark to move');
  }
  chat.press('enter');
  await chat.noLongerSees(/Allow this (?:command|change|tool call)\?/);
}

function isMarked(chat: Chat, number: number): boolean {
  return chat.screen().includes(`❯ ${number}  `);
}

/** The processes that were started with a home below this folder: the agent, its model server, and their children. */
export function processesOf(home: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${home}`);
    } catch {
      return false;
    }
  });
}

/** The home of the agent itself. */
export function agentHome(home: string): string {
  return path.join(home, 'agent-home');
}

/** The command that starts a real agent. */
export function agentLine(name: AnyAgentName, home: string): string {
  return [process.execPath, script, name, agentHome(home)].map((word) => `'${word}'`).join(' ');
}

/** The folder of the test in a home, with a file. */
export function projectIn(home: string): string {
  const cwd = path.join(home, 'project');
  mkdirSync(cwd, {recursive: true});
  writeFileSync(path.join(cwd, 'notes.md'), NOTES);
  return cwd;
}
