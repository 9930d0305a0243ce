import {mkdirSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {loadPty} from '../../../src/host/terminals/command-process.ts';
import {startTerminal, type Terminal} from '../../../src/host/terminals/terminal.ts';
import {placesOfAgent} from '../../../src/sandbox/agent/agent-places.ts';
import {sandboxPolicy} from '../../../src/sandbox/policy.ts';
import {
  createSandbox,
  findRequirements,
  type Sandbox,
  type SandboxOptions,
} from '../../../src/sandbox/sandbox.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

const found = findRequirements({roots: [], writable: []});

/** True if nothing can be tested here; says so. */
export const hasNoSandbox = !found.ok;
if (!found.ok) console.warn(`NOT TESTED: ${failureSentence(found.failure)}`);

export type PolicyOptions = Parameters<typeof sandboxPolicy>[0];

/** A home folder and a workspace in it, outside of the temporary folder of sandboxes. */
export function aHome(): {readonly home: string; readonly root: string} {
  const base = realpathSync(temporaryFolder());
  const home = join(base, 'home');
  const root = join(home, 'project');
  mkdirSync(root, {recursive: true});
  return {home, root};
}

/** A policy for the demo agent in a workspace. Node can be run in it, wherever it is. */
export function aPolicy(options: Partial<PolicyOptions> & Pick<PolicyOptions, 'roots' | 'home'>) {
  return sandboxPolicy({
    agent: {label: 'demo', command: 'demo', args: []},
    ownFolders: [],
    env: {},
    network: 'ask',
    networkHosts: [],
    sandboxSockets: 'none',
    visible: placesOfAgent({command: process.execPath, args: []}, {path: '', installed: '/nowhere'}),
    ...options,
  });
}

export async function aSandbox(
  policy: ReturnType<typeof sandboxPolicy>,
  options: Partial<SandboxOptions> = {},
): Promise<Sandbox> {
  const made = await createSandbox(policy, {ask: async () => false, onRefused: () => {}, ...options});
  if (!made.ok) throw new Error(failureSentence(made.failure));
  onTestFinished(() => made.value.close());
  return made.value;
}

export interface Run {
  readonly terminal: Terminal;
  readonly output: () => string;
}

/** Runs a shell script in it: with pipes, or in a pseudo-terminal. */
export async function runIn(
  sandbox: Sandbox,
  script: string,
  how: {readonly pty?: true; readonly env?: NodeJS.ProcessEnv} = {},
): Promise<Run> {
  let output = '';
  const [cwd = '/'] = sandbox.policy.roots;
  const terminal = startTerminal({
    argv: ['/bin/sh', '-c', script],
    cwd,
    env: {PATH: process.env['PATH'], HOME: sandbox.policy.home, TERM: 'xterm', ...how.env},
    sandbox,
    spawnPty: how.pty && (await loadPty()),
    outputLimit: 100_000,
    onOutput: (text) => (output += text),
  });
  if ('problem' in terminal) throw new Error(await terminal.problem);
  onTestFinished(() => terminal.killNow());
  return {terminal, output: () => output};
}

/** The output of a script, once it has ended. */
export async function outputOf(
  sandbox: Sandbox,
  script: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const {terminal, output} = await runIn(sandbox, script, {env});
  await terminal.exited;
  return output();
}
