import {lstatSync} from 'node:fs';
import {resolve} from 'node:path';
import {execa} from 'execa';
import {agentsFolder, findPaths} from '../shared/files/paths.ts';
import type {SandboxSettings} from '../session/settings/sandbox.ts';
import {errorMessage, fail, type Result} from '../shared/failure.ts';
import {keepOffPath} from '../shared/processes/executable.ts';
import {realFoldersOf, type Folders} from '../shared/files/session-folders.ts';
import {isWithin, realpathOrItself} from '../shared/files/folders.ts';
import {makeFolder} from '../shared/files/safe-files.ts';
import {placesOfAgent} from './agent/agent-places.ts';
import {loadLibrary} from './network.ts';
import {sandboxPolicy, type ConfinedAgent, type SandboxPolicy} from './policy.ts';
import {registriesOf} from './registries.ts';
import {createSandbox, type Sandbox, type SandboxOptions} from './sandbox.ts';

/** What a session's sandbox follows from. */
export interface SandboxedSession extends Folders {
  readonly agent: ConfinedAgent;
  /** The programs of its MCP servers. */
  readonly servers?: readonly Pick<ConfinedAgent, 'command' | 'args'>[];
  readonly sandbox: SandboxSettings;
  /** True if anything of it is. */
  readonly isStored?: boolean;
  /** What is inherited inside, as far as the policy lets it. */
  readonly environment: NodeJS.ProcessEnv;
}

export interface SetUpOptions extends SandboxOptions {
  /** Asks the user where an agent keeps its state that acp-tui does not know: folders as in settings. Undefined if it is not to be started. */
  readonly askFolders?: (likely: readonly string[]) => Promise<readonly string[] | undefined>;
}

/** Sets up the sandbox of a session. */
export async function setUpSandbox(
  session: SandboxedSession,
  options: SetUpOptions,
): Promise<Result<Sandbox>> {
  const {agent, servers = [], environment, sandbox: settings} = session;
  if (agent.remote) return fail({kind: 'sandbox', reason: 'remote'});
  const roots = Object.values(realFoldersOf(session));
  const paths = findPaths();
  const ownFolders = Object.values(paths);
  const addedFolders = (settings.addedFolders ?? []).filter((folder) => {
    // What was a folder when the user added it may lead anywhere now.
    const isLink = realpathOrItself(folder) !== folder;
    if (isLink)
      options.onWarning?.(
        `${folder} was a folder when you added it to the sandbox, and is a link now: the agent may not write it.`,
      );
    return !isLink;
  });
  const policy = sandboxPolicy({
    ...settings,
    addedFolders,
    agent,
    roots,
    ownFolders,
    env: environment,
    knownHosts: await registriesOf(roots),
    visible: [agent, ...servers].flatMap((program) =>
      placesOfAgent(program, {
        path: agent.env['PATH'] ?? environment['PATH'],
        installed: agentsFolder(paths),
      }),
    ),
  });
  const refused = refusedFolder(policy);
  if (refused !== undefined) return fail({kind: 'sandbox', reason: 'folder', detail: refused});
  if (!policy.isAgentKnown) {
    const sandboxFolders = await options.askFolders?.(likelyFolders(policy));
    return sandboxFolders
      ? setUpSandbox({...session, sandbox: {...settings, addedFolders, sandboxFolders}}, options)
      : fail({kind: 'sandbox', reason: 'unknown_agent', detail: agent.label});
  }
  // acp-tui itself runs git and others outside.
  keepOffPath([...roots, ...policy.writable], [process.env, environment]);
  // What does not exist yet could be created inside.
  for (const folder of ownFolders) makeFolder(folder);
  return createSandbox(policy, {
    ...options,
    store: {state: paths.state, isWritten: session.isStored === true},
  });
}

/**
 * Returns a folder that no sandbox may open: a workspace that holds the home folder or is secret, and what is writable besides if it is a link to such a folder.
 * What the user named in `sandboxFolders` is not secret.
 */
function refusedFolder({home, roots, writable, hidden, isHiddenName}: SandboxPolicy): string | undefined {
  const realHome = realpathOrItself(home);
  const secret = hidden.map(realpathOrItself);
  const holdsHome = (path: string) => isWithin(realHome, realpathOrItself(path));
  const isSecret = (path: string) => {
    const real = realpathOrItself(path);
    const [name = ''] = isWithin(real, realHome) ? real.slice(realHome.length + 1).split('/') : [];
    return secret.some((each) => isWithin(real, each)) || (name !== '' && isHiddenName(name));
  };
  const isNamed = (root: string) => writable.some((path) => isWithin(realpathOrItself(root), path));
  const isLink = (path: string) => realpathOrItself(path) !== resolve(path) && !isWithin(home, path);
  return (
    roots.find((root) => holdsHome(root) || (isSecret(root) && !isNamed(root))) ??
    writable.find((path) => isLink(path) && (holdsHome(path) || isSecret(path)))
  );
}

/** Returns the folders that are there, or else the most likely ones. */
function likelyFolders({likelyState, home}: SandboxPolicy): readonly string[] {
  const isFolder = (path: string) => lstatSync(path, {throwIfNoEntry: false})?.isDirectory();
  const found = likelyState.filter(isFolder);
  return (found.length > 0 ? found : likelyState.slice(0, 2)).map((path) =>
    isWithin(path, home) ? `~${path.slice(home.length)}` : path,
  );
}

/** How long a command that does nothing may take in it, in milliseconds. */
const TRY_MS = 10_000;

/** Sets up a sandbox, runs a command in it and closes it again: what a session would need is there. */
export async function trySandbox(): Promise<Result<void>> {
  const agent = {label: 'demo', command: 'demo', args: []};
  const settings = {network: 'none', networkHosts: [], sandboxSockets: 'none'} as const;
  const cwd = '/usr';
  const policy = sandboxPolicy({...settings, agent, roots: [], ownFolders: [], env: process.env});
  const sandbox = await createSandbox(policy, {ask: () => Promise.resolve(false), onRefused: () => {}});
  if (!sandbox.ok) return sandbox;
  try {
    await loadLibrary();
  } catch (error) {
    sandbox.value.close();
    return fail({kind: 'sandbox', reason: 'package', detail: errorMessage(error)});
  }
  const confined = sandbox.value.confine(['/bin/sh', '-c', ':'], {cwd, env: {}});
  if (!confined.ok) return confined;
  const {argv, env} = confined.value;
  const [command, ...args] = argv;
  const {exitCode, stderr, originalMessage} = await execa(command, args, {
    env,
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: TRY_MS,
    killSignal: 'SIGKILL',
  });
  sandbox.value.close();
  if (exitCode === 0) return {ok: true, value: undefined};
  return fail({kind: 'sandbox', reason: 'refused', detail: stderr || (originalMessage ?? '')});
}
