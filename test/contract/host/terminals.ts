import type * as acp from '@agentclientprotocol/sdk/unstable';
import {afterEach, expect} from 'vitest';
import {createRoots} from '../../../src/host/files/roots.ts';
import {loadPty} from '../../../src/host/terminals/command-process.ts';
import type {TerminalListener} from '../../../src/host/services.ts';
import {createTerminals, openPty, type Terminals} from '../../../src/host/terminals/terminals.ts';

export const never = new AbortController().signal;

export type ReceivedEvent = [event: keyof TerminalListener, id: string, ...rest: unknown[]];
export type Request = Omit<acp.CreateTerminalRequest, 'sessionId'>;

type LoadPty = typeof loadPty;

/** How commands run: in a pseudo-terminal, or with pipes. */
export const WAYS: readonly (readonly [name: string, load: LoadPty | undefined])[] = [
  ['in a pseudo-terminal', loadPty],
  ['with pipes', undefined],
];

/** Terminals of a sandbox, closed after each test. */
export function useTerminals(sandbox: {readonly root: string}, load?: LoadPty) {
  const open: Terminals[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((terminals) => terminals.closeAll()));
  });

  function setUp(env: NodeJS.ProcessEnv = process.env): {terminals: Terminals; received: ReceivedEvent[]} {
    const received: ReceivedEvent[] = [];
    const listener: TerminalListener = {
      withoutPty: (...all) => received.push(['withoutPty', '', ...all]),
      limited: () => received.push(['limited', '']),
      created: (...all) => received.push(['created', ...all]),
      output: (...all) => received.push(['output', ...all]),
      exited: (...all) => received.push(['exited', ...all]),
      released: (...all) => received.push(['released', ...all]),
    };
    const pty = load && openPty(load, listener);
    const terminals = createTerminals({roots: createRoots(sandbox.root, []), env, pty, listener});
    open.push(terminals);
    return {terminals, received};
  }

  async function create(terminals: Terminals, request: Request): Promise<string> {
    const answer = await terminals.create({sessionId: 's', ...request});
    if (!answer.ok) throw new Error(answer.message);
    return answer.value.terminalId;
  }

  /** Runs a command until it exits. */
  async function run(request: Request, env?: NodeJS.ProcessEnv) {
    const {terminals} = setUp(env);
    const id = await create(terminals, request);
    const exit = await terminals.waitForExit(id, never);
    const output = terminals.output(id);
    if (!output.ok || !exit.ok) throw new Error('no output');
    return {...output.value, exit: exit.value};
  }

  /** The error code with which a command is rejected. */
  async function refusal(request: Request): Promise<number | 'started'> {
    const answer = await setUp().terminals.create({sessionId: 's', ...request});
    return answer.ok ? 'started' : answer.code;
  }

  return {setUp, create, run, refusal};
}

/** Resolves to the output once it contains the text. */
export async function outputWith(terminals: Terminals, id: string, text: string): Promise<string> {
  const read = () => {
    const answer = terminals.output(id);
    return answer.ok ? answer.value.output : answer.message;
  };
  await expect.poll(read).toContain(text);
  return read();
}
