import {execa} from 'execa';
import type {AgentCommand} from '../agents/resolve.ts';
import type {SandboxSettings} from '../session/settings/sandbox.ts';
import {fail, type Result} from '../shared/failure.ts';
import {makeFolder} from '../storage/files.ts';
import {findPaths} from '../storage/paths.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {isInside, sandboxPolicy} from './policy.ts';
import {realPath, safePath} from './programs.ts';
import {registriesOf} from './registries.ts';
import {createSandbox, type Sandbox, type SandboxOptions} from './sandbox.ts';

/** What a session's sandbox follows from. */
export interface SandboxedSession {
  readonly agent: AgentCommand;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute. */
  readonly additionalDirectories: readonly string[];
  readonly sandbox: SandboxSettings;
}

/** Returns the sandbox, or why there is none: then nothing may be started. */
export type OpenSandbox = () => Promise<Result<Sandbox>>;

/** The sandbox of a session: set up when it is needed first, and again if it is gone. */
export interface SessionSandbox {
  readonly open: OpenSandbox;
  /** Ends it, and sets up another one for the session as it is now, before its agent is started. */
  readonly renew: OpenSandbox;
  close(): Promise<void>;
}

export function createSessionSandbox(
  session: () => SandboxedSession,
  options: SandboxOptions,
): SessionSandbox {
  let opened: Promise<Result<Sandbox>> | undefined;

  async function create(): Promise<Result<Sandbox>> {
    const {agent, cwd, additionalDirectories, sandbox: settings} = session();
    if (agent.remote) return fail({kind: 'sandbox', reason: 'remote'});
    const roots = [cwd, ...additionalDirectories];
    const ownFolders = Object.values(findPaths());
    const policy = sandboxPolicy({
      ...settings,
      agent,
      roots,
      ownFolders,
      env: process.env,
      knownHosts: await registriesOf(roots),
    });
    if (!policy.isAgentKnown) return fail({kind: 'sandbox', reason: 'unknown_agent', detail: agent.label});
    const home = roots.find((root) => isInside(policy.home, root));
    if (home !== undefined) return fail({kind: 'sandbox', reason: 'folder', detail: home});
    // acp-tui itself runs git and others outside.
    process.env['PATH'] = safePath(process.env['PATH'] ?? '', [...roots, ...policy.writable].map(realPath));
    // What does not exist yet could be created inside.
    for (const folder of ownFolders) makeFolder(folder);
    return createSandbox(policy, options);
  }

  async function end(earlier: typeof opened): Promise<void> {
    const sandbox = await earlier;
    if (sandbox?.ok) sandbox.value.close();
  }

  async function reuse(earlier: typeof opened): Promise<Result<Sandbox>> {
    const before = await earlier;
    return before?.ok && before.value.isOpen() ? before : create();
  }

  return {
    // One after the other, so that there is only one.
    open: () => (opened = reuse(opened)),
    renew: () => (opened = end(opened).then(create)),
    async close() {
      const last = opened;
      opened = undefined;
      await end(last);
    },
  };
}

/** Returns the sandbox of a session without a user who could be asked; undefined if it is not confined. Each refused host is told once. */
export function silentSandbox(
  session: Omit<SandboxedSession, 'sandbox'> & {readonly sandbox?: SandboxSettings},
  tell: (text: string) => void,
): SessionSandbox | undefined {
  const {sandbox} = session;
  return (
    sandbox &&
    createSessionSandbox(() => ({...session, sandbox}), {
      ask: () => Promise.resolve(false),
      onRefused: toldOnce(tell),
    })
  );
}

/** Sets up a sandbox, runs a command in it and closes it again: what a session would need is there. */
export async function trySandbox(): Promise<Result<void>> {
  const agent = {label: 'demo', command: 'demo', args: []};
  const settings = {network: 'none', networkHosts: [], sandboxSockets: 'none'} as const;
  const cwd = '/usr';
  const policy = sandboxPolicy({...settings, agent, roots: [], ownFolders: [], env: process.env});
  const sandbox = await createSandbox(policy, {ask: () => Promise.resolve(false), onRefused: () => {}});
  if (!sandbox.ok) return sandbox;
  const {argv, env} = sandbox.value.confine(['/bin/sh', '-c', ':'], {cwd, env: {}});
  const [command, ...args] = argv;
  const {exitCode, stderr, originalMessage} = await execa(command, args, {
    env,
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
  });
  sandbox.value.close();
  if (exitCode === 0) return {ok: true, value: undefined};
  return fail({kind: 'sandbox', reason: 'refused', detail: stderr || (originalMessage ?? '')});
}

/** Returns a function that tells of each refused connection, but of none twice. */
export function toldOnce(tell: (text: string) => void): SandboxOptions['onRefused'] {
  const told = new Set<string>();
  return ({host, port, why}) => {
    const text = sanitizeLine(`The sandbox refused a connection to ${host}:${port}: ${why}.`);
    if (!told.has(text)) tell(text);
    told.add(text);
  };
}
