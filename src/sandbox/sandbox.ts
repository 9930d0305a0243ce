import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isExecutable} from '../shared/processes/executable.ts';
import {errorMessage, fail, type Failure, type Result} from '../shared/failure.ts';
import {isWithin, realpathOrItself} from '../shared/files/folders.ts';
import {isNewer} from '../shared/version.ts';
import {processExists} from '../shared/processes/process-identity.ts';
import {
  commandArguments,
  plannedMounts,
  PROXY_PORT,
  runtimeIn,
  startKeeper,
  sandboxedCommand,
  type Runtime,
} from './bubblewrap.ts';
import {explainFailedStart, type FailedStart} from './agent/refused-at-start.ts';
import type {ConfinedPlace, Confiner, SandboxParts} from './confiner.ts';
import {openNamespaces} from './mount-namespace.ts';
import type {PlannedMount} from './mount-table.ts';
import {createState, findHidden, workspaceOf, type Workspace} from './mounts.ts';
import type {PlacesStore} from './protected/known-places.ts';
import {unprotectedNotices} from './protected/unprotected.ts';
import {watchProtected, type ProtectedWatch} from './protected/watch.ts';
import {openNetwork, type Network, type NetworkOptions} from './network.ts';
import {parentsOf, type SandboxPolicy} from './policy.ts';
import {findPrograms, PROGRAMS, type Programs} from './programs.ts';
import {createReadableCheck} from './readable.ts';
import {seatbeltConfiner} from './seatbelt.ts';
import {hasFilter, seccompFilter} from './seccomp.ts';

/** A sandbox around an agent and everything that is started for it. */
export interface Sandbox {
  readonly policy: SandboxPolicy;
  /** False once it was closed, or its keeper was killed: then nothing can be started in it. */
  readonly isOpen: () => boolean;
  /** Returns the command and environment that run a command inside, or why it cannot: a folder was replaced since, for example. */
  confine(argv: readonly [string, ...string[]], place: ConfinedPlace): Result<ConfinedCommand>;
  /** True for a real path that programs inside can read. */
  readonly isReadable: (real: string) => boolean;
  /** Returns why its agent could not be started with what it was refused, as far as that can be told. */
  explained(failure: Failure, start: FailedStart): Failure;
  /** What something runs later, and no mount holds. */
  readonly watch: ProtectedWatch;
  /** Ends its network and deletes its temporary folder. */
  close(): void;
}

export interface ConfinedCommand {
  readonly argv: readonly [string, ...string[]];
  /** Complete. The command gets its own from a file. */
  readonly env: NodeJS.ProcessEnv;
}

export interface SandboxOptions extends Omit<NetworkOptions, 'policy'> {
  /** Called with a sentence for the user, such as about what a program inside could replace, although something runs it later: before anything is started, or when what it wrote is looked at. */
  readonly onWarning?: (text: string) => void;
  /** The watch of an earlier sandbox of the same session: what that one would still report, this one does. */
  readonly earlier?: ProtectedWatch;
  /** Where it is remembered what is protected. */
  readonly store?: PlacesStore;
}

/** The oldest version of the library whose parts are the ones in use. */
const OLDEST = '0.0.83';
const LIBRARY = '@anthropic-ai/sandbox-runtime';
/** Its files that are loaded for the first connection. */
const PARTS = 'address domain-pattern http-proxy parent-proxy resolved-address-guard socks-proxy'.split(' ');
/** A part of macOS. */
const SEATBELT = '/usr/bin/sandbox-exec';

function isMac(): boolean {
  return process.platform === 'darwin';
}

/** Returns the programs of a sandbox, or why there can be none here, as far as it is known without trying. */
export function findRequirements({
  writable,
  roots,
}: Pick<SandboxPolicy, 'writable' | 'roots'>): Result<Programs> {
  const failed = (reason: (Failure & {kind: 'sandbox'})['reason'], detail: string) =>
    fail({kind: 'sandbox', reason, detail});
  const places = [...roots, ...writable];
  if (process.platform !== 'linux' && !isMac()) return failed('system', process.platform);
  const folder = places.find((path) =>
    [PLACE, tmpdir()].some((temporary) => isWithin(realpathOrItself(temporary), realpathOrItself(path))),
  );
  if (folder !== undefined) return failed('folder', folder);
  if (!isMac() && !hasFilter(process.arch)) return failed('processor', process.arch);
  const {programs, missing} = findPrograms(process.env['PATH'], places);
  if (isMac() && !isExecutable(SEATBELT)) return failed('system', `darwin without ${SEATBELT}`);
  if (!isMac() && missing.length > 0)
    return failed('programs', missing.map((name) => `${name} (package ${PROGRAMS[name]})`).join(', '));
  const version = libraryVersion();
  if (version === undefined) return failed('package', LIBRARY);
  return isNewer(OLDEST, version) ? failed('old_package', version) : {ok: true, value: programs};
}

/** Returns undefined if it is not installed, or not all of it. */
function libraryVersion(): string | undefined {
  try {
    const {resolve} = createRequire(import.meta.url);
    for (const part of PARTS) resolve(`${LIBRARY}/dist/sandbox/${part}.js`);
    const file = resolve(`${LIBRARY}/package.json`);
    return String((JSON.parse(readFileSync(file, 'utf8')) as {version?: unknown}).version);
  } catch {
    return undefined;
  }
}

/** Sets up a sandbox; a failure says what is missing. Several may exist at the same time, with different policies. */
export async function createSandbox(
  policy: SandboxPolicy,
  options: SandboxOptions,
): Promise<Result<Sandbox>> {
  const found = findRequirements(policy);
  if (!found.ok) return found;
  let runtime: Runtime | undefined;
  let network: Network | undefined;
  let workspace: Workspace | undefined;
  try {
    createState(policy);
    runtime = createRuntime();
    network = await openNetwork(isMac() ? undefined : runtime.socket, {...options, policy});
    const parts = {
      runtime,
      programs: found.value,
      network,
      lookUp: async () => (workspace = await workspaceOf(policy, options.store)),
    };
    const confiner = await (isMac() ? seatbeltConfiner : bubblewrapConfiner)(policy, parts);
    if (!workspace) throw new Error('the workspace was not looked up');
    for (const text of unprotectedNotices(workspace.places)) options.onWarning?.(text);
    // A link in the workspace may lead to its temporary folder, as it is called outside.
    const writable = [...workspace.places.writable, runtime.temporary];
    const watch = await watchProtected(
      policy,
      {...workspace.places, writable},
      {
        isHeld: holdingOf(workspace),
        known: workspace.known,
        onWarning: options.onWarning,
        earlier: options.earlier,
      },
    );
    return {
      ok: true,
      value: {
        ...sandboxWith(policy, confiner, parts),
        watch,
        isReadable: createReadableCheck(policy, workspace),
      },
    };
  } catch (error) {
    network?.close();
    if (runtime) removeFolder(runtime.folder);
    return fail({kind: 'sandbox', reason: 'refused', detail: errorMessage(error)});
  }
}

/** Returns how Linux confines the commands of a sandbox. */
async function bubblewrapConfiner(
  policy: SandboxPolicy,
  {runtime, programs, lookUp}: SandboxParts,
): Promise<Confiner> {
  writeFileSync(runtime.filter, seccompFilter(process.arch as 'x64' | 'arm64', policy.sockets), {
    mode: 0o600,
  });
  const workspace = await lookUp();
  const before = findHidden(policy, workspace);
  const planned = plannedMounts(workspace, before, {...policy, runtime});
  const identities = new Map(planned.map(({path}) => [path, identityOf(path)]));
  const namespaces = await openNamespaces(programs, planned);
  const {network} = namespaces;
  const keeper = await startKeeper(programs, runtime, {network, ports: portsOf(policy)}).catch(
    (error: unknown) => {
      namespaces.close();
      throw error;
    },
  );
  /** What has to be read-only or hidden, and was made or replaced since: a mount is gone with the file that it covers. */
  function narrowed(): readonly PlannedMount[] {
    const isNew = (path: string) => identities.get(path) !== identityOf(path);
    const {folders, files} = findHidden(policy, workspace);
    const readOnly = workspace.readOnly.filter((path) => realpathOrItself(path) === path);
    return [
      ...readOnly.map((path) => ({path, from: path, isWritable: false})),
      ...folders.map((path) => ({path, isWritable: false})),
      ...files.map((path) => ({path, from: '/dev/null', isWritable: false})),
    ].filter(({path}) => existsSync(path) && isNew(path));
  }
  const {exited, resetsSignals} = keeper;
  return {
    proxy: `http://127.0.0.1:${PROXY_PORT}`,
    direct: 'localhost,127.0.0.1,::1',
    temporary: '/tmp',
    wrap({argv, cwd, env, file}) {
      const ways = commandArguments(narrowed(), {cwd, env});
      return sandboxedCommand({
        argv,
        programs,
        namespaces: namespaces.all,
        runtime,
        file,
        arguments: ways,
        resetsSignals,
      });
    },
    exited,
    close() {
      keeper.close();
      namespaces.close();
    },
  };
}

/** Where a folder is, and which one. */
const placeOf = (root: string) => `${realpathOrItself(root)} ${identityOf(realpathOrItself(root))}`;

/** Which file it is; undefined if there is none. */
function identityOf(path: string): string | undefined {
  const found = lstatSync(path, {throwIfNoEntry: false});
  return found && `${found.dev}:${found.ino}`;
}

/** Ports of this computer that the user named. */
function portsOf({namedHosts}: SandboxPolicy): readonly number[] {
  const ports = namedHosts.flatMap((host) => /^(?:localhost|127\.0\.0\.1):(\d+)$/.exec(host)?.[1] ?? []);
  return [...new Set(ports.map(Number))].filter((port) => port > 0 && port < 65_536 && port !== PROXY_PORT);
}

/** Where the folders of sandboxes are: in no workspace, and replaced inside all of them. */
const PLACE = '/tmp';

/** The names of folders have the process that they belong to. */
const FOLDER = 'acp-tui-sandbox-';

/** Folders of this process, to delete at its end. */
const folders = new Set<string>();
let isFollowingExit = false;

/** Creates the private folder of a sandbox, and deletes those of processes that were killed. */
function createRuntime(): Runtime {
  for (const name of readdirSync(PLACE)) {
    const pid = name.startsWith(FOLDER) ? Number(name.slice(FOLDER.length).split('-')[0]) : 0;
    if (pid > 0 && !processExists(pid)) removeFolder(join(PLACE, name));
  }
  const runtime = runtimeIn(realpathSync.native(mkdtempSync(join(PLACE, `${FOLDER}${process.pid}-`))));
  if (!isFollowingExit) process.once('exit', () => folders.forEach(removeFolder));
  isFollowingExit = true;
  folders.add(runtime.folder);
  mkdirSync(runtime.temporary, {mode: 0o700});
  writeFileSync(runtime.emptyFile, '', {mode: 0o400});
  return runtime;
}

function removeFolder(folder: string): void {
  folders.delete(folder);
  try {
    rmSync(folder, {recursive: true, force: true});
  } catch {
    // Something inside may still be written; the next sandbox deletes it.
  }
}

/** Returns what tells whether a mount holds a path: it is gone once another program has replaced the file that it covers. */
function holdingOf({readOnly}: Workspace): (path: string) => boolean {
  const held = new Map(readOnly.map((path) => [path, identityOf(path)]));
  return (path) => {
    const place = [path, ...parentsOf(path)].find((each) => held.has(each));
    return place !== undefined && held.get(place) === identityOf(place);
  };
}

function sandboxWith(
  policy: SandboxPolicy,
  confiner: Confiner,
  {runtime, network}: SandboxParts,
): Omit<Sandbox, 'watch' | 'isReadable'> {
  /** Where each root really is. */
  const roots = new Map(policy.roots.map((root) => [root, placeOf(root)]));
  const own = environmentOf(confiner);
  let count = 0;
  let isOpen = true;
  const close = () => {
    isOpen = false;
    network.close();
    confiner.close?.();
    removeFolder(runtime.folder);
  };
  void confiner.exited?.then(() => isOpen && close());

  /** A root that is another folder than before, as behind a link, would be writable without anyone having said so. */
  function checkRoots(): void {
    for (const [root, real] of roots)
      if (placeOf(root) !== real)
        throw new Error(`${root} was replaced since its sandbox was set up; /restart sets up another one`);
  }

  return {
    policy,
    isOpen: () => isOpen,
    confine(argv, {env, ...place}) {
      try {
        if (!isOpen) throw new Error('it was closed');
        checkRoots();
        count += 1;
        const file = join(runtime.folder, `command-${count}`);
        return {
          ok: true,
          value: {argv: confiner.wrap({argv, ...place, env: {...env, ...own}, file}), env: {}},
        };
      } catch (error) {
        return fail({
          kind: 'not_offered',
          cannot: 'start a program in the sandbox',
          why: errorMessage(error),
        });
      }
    },
    explained: (failure, start) => explainFailedStart(policy, failure, start),
    close: () => void (isOpen && close()),
  };
}

/** Where temporary files go, and the way to the network. */
function environmentOf({proxy, direct, temporary}: Confiner): NodeJS.ProcessEnv {
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'GRPC_PROXY'];
  return {
    ...Object.fromEntries(['TMPDIR', 'TMP', 'TEMP'].map((name) => [name, temporary])),
    ...Object.fromEntries(proxies.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, proxy])),
    NO_PROXY: direct,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: '1',
  };
}
