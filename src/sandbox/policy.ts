import {homedir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';
import {AGENT_STATE, needsOf} from '../session/requests/agent-needs.ts';
import {programName} from '../shared/processes/executable.ts';
import {matchesGlob, pathGlob} from '../shared/glob.ts';
import {folded, protectedEntries, SECRET_PATH} from '../session/requests/protected-paths.ts';
import type {SandboxSettings} from '../session/settings/sandbox.ts';
import {isSecretName} from '../shared/mask.ts';
import {isWithin} from '../shared/files/folders.ts';

/** The agent that a sandbox is for. */
export interface ConfinedAgent {
  /** The user's name for it. */
  readonly label: string;
  /** A program, looked up on PATH if it has no slash. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Set for an agent on another computer, which no sandbox can confine. */
  readonly remote?: unknown;
}

interface PolicyOptions extends SandboxSettings {
  readonly agent: Omit<ConfinedAgent, 'env'>;
  /** The session's folders, absolute. */
  readonly roots: readonly string[];
  /** acp-tui's own folders, which no agent may read. */
  readonly ownFolders: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Hosts that are known for another reason, such as the registries of a lock file. */
  readonly knownHosts?: readonly string[];
  /** Where the agent's program is, of what is covered. */
  readonly visible?: readonly string[];
  readonly home?: string;
}

/** What a sandbox allows, as data. Paths are absolute; those that do not exist have no effect, unless they are created. */
export interface SandboxPolicy {
  readonly home: string;
  /** Real paths: one that has become a link is refused. */
  readonly roots: readonly string[];
  /** May be written and read although they are secret: the agent's own state, and the folders that the user named. A trailing `/` marks a folder. */
  readonly writable: readonly string[];
  /** Those of them that are not the agent's own: protected as the roots are. */
  readonly folders: readonly string[];
  /** Those that are created if they are missing. */
  readonly created: readonly string[];
  /** True for a path that is not written, although it is inside a root: something runs it later. */
  readonly isProtected: (path: string) => boolean;
  /** Unreadable. */
  readonly hidden: readonly string[];
  /** Can be read although it is hidden or temporary: where the agent's program is. */
  readonly visible: readonly string[];
  /** True for a name in the home folder that is unreadable. */
  readonly isHiddenName: (name: string) => boolean;
  /** As the user wrote them. */
  readonly hiddenPatterns: readonly string[];
  /** True for a path from a root, with a `/` before it, that one of them names. `isCwd`: the root is the session's folder. */
  readonly isHiddenInRoot: (path: string, isCwd: boolean) => boolean;
  readonly network: SandboxSettings['network'];
  /** Hosts that the user named: private addresses among them, too. */
  readonly namedHosts: readonly string[];
  /** The agent's own services, and others that are known. */
  readonly knownHosts: readonly string[];
  readonly sockets: SandboxSettings['sandboxSockets'];
  /** False if acp-tui does not know where the agent keeps its state and the user did not say so either. */
  readonly isAgentKnown: boolean;
  /** Where it may keep its state, by its name: none that is hidden, or holds what something runs later. The most likely ones first. */
  readonly likelyState: readonly string[];
  /** What is inherited, without secrets; what an agent's settings add is added afterwards. */
  readonly environment: NodeJS.ProcessEnv;
}

const words = (text: string) => text.trim().split(/\s+/);

/** Beside keys and credentials: what belongs to other programs of the user, relative to the home folder. */
const HIDDEN_IN_HOME = words(`
  .mozilla .thunderbird .config/google-chrome .config/google-chrome-beta .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi
  .config/opera .librewolf .zen .waterfox .cache/mozilla .cache/google-chrome .cache/chromium snap/firefox snap/chromium .var/app
  .config/keepassxc .config/Bitwarden .config/1Password .config/Signal .config/Slack .config/discord .electrum .bitcoin .ethereum .config/solana
  Mail Maildir mail .mbsyncrc .msmtprc .fetchmailrc .authinfo .config/google-chrome-unstable .nuget .fly .netlify .kaggle .config/stripe .sentryclirc
  .ngrok2 .config/ngrok .databrickscfg .oci .argocd .config/argocd .config/helm .config/hcloud .config/linode-cli .railway .supabase .vercel
  .local/share/com.vercel.cli .snowflake .dbt .vnc .config/filezilla .config/remmina .subversion/auth .step .minikube .local/share/TelegramDesktop
  .local/share/atuin .local/share/fish .bash_history .zsh_history .config/Code/User/globalStorage .config/Cursor/User/globalStorage
  Library/Cookies Library/Safari Library/Mail Library/Messages .Xauthority .ICEauthority .config/evolution .local/share/evolution .config/rclone`);

/** Of macOS: the same, in a folder whose name has a space. */
const HIDDEN_IN_APPLICATION_SUPPORT = [
  ...words(
    'Firefox Thunderbird Chromium BraveSoftware Vivaldi Slack discord Signal Bitwarden 1Password com.apple.TCC',
  ),
  'Google/Chrome',
  'Microsoft Edge',
  'Telegram Desktop',
].map((name) => `Library/Application Support/${name}`);

/** Secrets of the system and its sockets. Only root could read most of them. */
const HIDDEN_IN_SYSTEM = words(`
  /run/user /run/secrets /var/run/secrets /run/credentials /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private
  /etc/ssh/ssh_host_rsa_key /etc/ssh/ssh_host_ecdsa_key /etc/ssh/ssh_host_ed25519_key /etc/kubernetes /var/lib/kubelet /var/lib/docker /var/lib/containerd
  /var/lib/NetworkManager /etc/NetworkManager/system-connections /etc/wireguard /var/spool/cron /var/mail /var/spool/mail /var/backups`);

/** Written inside the roots by agents as a part of their work; asked about without a sandbox. */
const NOT_PROTECTED = new Set(['keys', 'credentials']);
const isRunLater = protectedEntries([])
  .filter(({what, path}) => !NOT_PROTECTED.has(what) && path !== '.git/')
  .map(({pattern}) => pattern.source);
const RUN_LATER = new RegExp([...isRunLater, String.raw`/\.git/(?:modules/.+/)?hooks$`].join('|'));

/** Literal paths of keys and credentials. */
const SECRETS = protectedEntries([])
  .filter(({what, path}) => (what === 'keys' || what === 'credentials') && !path.includes('*'))
  .map(({path}) => path);

/** Beside the names of secrets: parts of names that say so, and the ways to programs of the desktop. */
const WITHHELD = new RegExp(
  [
    'PASS|SECRET|TOKEN|CREDENTIAL|BEARER|COOKIE|WEBHOOK|CONNECTION_?STRING|IPC_HANDLE',
    '(?:^|_)(?:KEYS?|PAT|AUTH|SID|DSN|JWT|SESSION)(?:_|$)',
    '(?<!^OLD)(?<!^)PWD$',
    '^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|GNOME_KEYRING_CONTROL|DBUS_(?:SESSION|SYSTEM)_BUS_ADDRESS|XAUTHORITY|DOCKER_HOST|KUBECONFIG|DISPLAY|WAYLAND_DISPLAY|TMUX)$',
  ].join('|'),
  'i',
);
/** A URL with a user or a password, or a password among its values. */
const PASSWORD_IN_URL = /:\/\/[^\s@]*@|[?&;]\s*(?:password|pwd|token|secret|\w*key)=/i;

const withoutSlash = (path: string) => path.replace(/\/$/, '');

/** Returns what a sandbox hides whatever its agent, but for what is that agent's own: absolute paths, which may not exist. */
export function hiddenPlaces({
  home = homedir(),
  env = process.env,
}: Partial<Pick<PolicyOptions, 'home' | 'env'>> = {}): readonly string[] {
  const inHome = (path: string) => xdgPath(path, {home, env});
  return [
    ...[...SECRETS, ...HIDDEN_IN_HOME, ...HIDDEN_IN_APPLICATION_SUPPORT].flatMap((path) => [
      join(home, path),
      inHome(path),
    ]),
    ...AGENT_STATE.map(inHome),
    ...HIDDEN_IN_SYSTEM,
  ].map(withoutSlash);
}

/** Decides what a sandbox around an agent and all that it starts allows. */
export function sandboxPolicy(options: PolicyOptions): SandboxPolicy {
  const {agent, roots, ownFolders, env, sandboxFolders, sandboxHidden = [], networkHosts} = options;
  const added = (options.addedFolders ?? []).map((folder) => `${folder}/`);
  const {home = homedir(), knownHosts = [], visible = [], network, sandboxSockets} = options;
  const names = [agent.label, ...[agent.command, ...agent.args].map((word) => basename(word))];
  const needs = needsOf(names);
  const inHome = (path: string) => xdgPath(path, {home, env});
  const state = needs?.state.map(inHome) ?? [];
  const named = (sandboxFolders ?? []).map((folder) =>
    folder === '~'
      ? `${home}/`
      : `${resolve(folder.startsWith('~/') ? join(home, folder.slice(2)) : folder)}/`,
  );
  const ownByName = stateByName(agent).map(inHome);
  const isOwn = (path: string) => [...state, ...named, ...added].some((own) => isWithin(path, own));
  const hidden = [...hiddenPlaces({home, env}), ...ownFolders.map(withoutSlash)];
  const isTaken = (path: string) =>
    RUN_LATER.test(folded(path)) || hidden.some((other) => isWithin(path, other) || isWithin(other, path));
  const variables = needs?.variables ?? [];
  const isWithheld = (name: string, value: string) =>
    !variables.some((prefix) => name.startsWith(prefix)) &&
    (isSecretName(name) || WITHHELD.test(name) || PASSWORD_IN_URL.test(value));
  return {
    home,
    roots,
    writable: [...state, ...named, ...added],
    folders: [...named, ...added].filter((path) => !ownByName.some((own) => isWithin(path, own))),
    created: [...state, ...named.filter((path) => isWithin(path, home))],
    isProtected: (path) => RUN_LATER.test(folded(path)),
    hidden: [...new Set(hidden)].filter((path) => !isOwn(path)),
    visible,
    isHiddenName: (name) => SECRET_PATH.test(`/${folded(name)}`) && !isOwn(join(home, name)),
    hiddenPatterns: sandboxHidden,
    isHiddenInRoot: inRoot(sandboxHidden),
    network,
    namedHosts: [...networkHosts, ...networkHosts.flatMap(addressOfLocalhost)],
    knownHosts: network === 'none' ? [] : [...(needs?.hosts ?? []), ...knownHosts],
    sockets: sandboxSockets,
    isAgentKnown: needs !== undefined || sandboxFolders !== undefined,
    likelyState: ownByName.filter((path) => !isTaken(path)),
    environment: Object.fromEntries(
      Object.entries(env).filter(([name, value = '']) => !isWithheld(name, value)),
    ),
  };
}

/** As in permission rules: a name is hidden at any depth and in all roots, a path is one from the session's folder. */
function inRoot(patterns: readonly string[]): SandboxPolicy['isHiddenInRoot'] {
  const globs = patterns.map((pattern) => {
    const [, name] = /^(?:\*\*\/)?([^/]+)$/.exec(pattern) ?? [];
    const path = pattern.replace(/^\.?\//, '').replace(/\/$/, '');
    return {isPath: name === undefined, glob: pathGlob(name === undefined ? `/${path}` : `/**/${name}`)};
  });
  return (path, isCwd) => globs.some(({isPath, glob}) => (isCwd || !isPath) && matchesGlob(glob, path));
}

/** Returns where an agent of this name would keep its state, below the home folder. */
function stateByName({label, command, args}: PolicyOptions['agent']): readonly string[] {
  const names = [label, programName(command, args)].flatMap((name) => {
    const [plain] = /^[a-z\d][\w-]*/.exec(name.toLowerCase()) ?? [];
    return plain === undefined ? [] : [plain, plain.replace(/-(?:acp|agent|cli)$/, '')];
  });
  const folders = ['.', '.config/', '.local/share/', '.local/state/', '.cache/'];
  return [...new Set(names)].flatMap((name) => folders.map((folder) => `${folder}${name}`));
}

/** Who names `localhost` means its address, too. */
function addressOfLocalhost(host: string): readonly string[] {
  const address = host.replace(/^localhost(?=:|$)/i, '127.0.0.1');
  return address === host ? [] : [address];
}

const XDG = {
  '.config/': 'XDG_CONFIG_HOME',
  '.local/share/': 'XDG_DATA_HOME',
  '.local/state/': 'XDG_STATE_HOME',
  '.cache/': 'XDG_CACHE_HOME',
} as const;

/** Returns a path of the home folder, in the folders of the XDG variables if they are set. */
function xdgPath(path: string, {home, env}: Required<Pick<PolicyOptions, 'home' | 'env'>>): string {
  const folder = Object.entries(XDG).find(([prefix]) => path.startsWith(prefix));
  const base = folder && env[folder[1]];
  return folder && base ? join(base, path.slice(folder[0].length)) : join(home, path);
}

/** Returns the folder of a path and all above it, without the root. */
export function parentsOf(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path || parent === '/' ? [] : [parent, ...parentsOf(parent)];
}
