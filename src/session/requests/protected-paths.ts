import {HOOK_SETTINGS} from '../../shared/hook-settings.ts';
import {AGENT_STATE} from './agent-needs.ts';

/**
 * Paths that are asked about at every `--approve` level: files there are executed later, or give access to something. Snapshots leave out keys and credentials,
 * see `SECRET_PATH`.
 */
interface ProtectedPaths {
  readonly what: string;
  /** At any depth, ignoring case; with a trailing `/` everything inside, `*` matches any text within one name. */
  readonly paths: readonly string[];
}

const words = (text: string) => text.trim().split(/\s+/);

/** The complete list, in display order. acp-tui's own folders are added at runtime. */
export const PROTECTED_PATHS: readonly ProtectedPaths[] = [
  {
    what: 'shell start-up file',
    paths: words(`
      .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .login .logout .zshrc .zshenv .zprofile .zlogin
      .zlogout .kshrc .mkshrc .cshrc .tcshrc .inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment
      .config/fish/ .config/environment.d/ .config/nushell/ .config/powershell/ .oh-my-zsh/ .bash_completion .local/bin/`),
  },
  {
    what: 'started at login',
    paths: words(`.config/autostart/ .config/systemd/ .local/share/systemd/ .local/share/applications/
      Library/LaunchAgents/ Library/LaunchDaemons/ crontab .crontab`),
  },
  {
    what: 'keys',
    paths:
      words(`.ssh/ .gnupg/ .pki/ .password-store/ .local/share/keyrings/ .local/share/kwalletd/ .config/age/ .config/sops/
      Library/Keychains/ id_rsa* id_dsa* id_ecdsa* id_ed25519* *.pem *.key *.ppk *.p8 *.p12 *.pfx *.pkcs12 *.jks *.keystore *.bks *.kdbx *.agekey
      *.ovpn`),
  },
  {
    what: 'credentials',
    paths: words(`
      .npmrc .yarnrc .yarnrc.yml .netrc _netrc .pypirc .aws/ .azure/ .config/gcloud/ .docker/config.json .docker/daemon.json
      .kube/ .config/gh/ .config/glab-cli/ .config/hub .git-credentials .config/git/credentials .cargo/credentials
      .cargo/credentials.toml .cargo/config .cargo/config.toml .gem/credentials .m2/settings.xml .m2/settings-security.xml
      .gradle/gradle.properties .gradle/init.gradle .gradle/init.d/ .terraformrc .terraform.d/ .config/op/ .vault-token .pgpass
      .my.cnf .curlrc .wgetrc .boto .s3cfg .composer/auth.json .config/composer/auth.json .nuget/nuget.config .config/pip/ .pip/pip.conf
      .config/containers/auth.json .config/rclone/ .config/doctl/ .huggingface/token .cache/huggingface/token .config/netlify/
      .env .env.* .env-* .env_* *.env .dev.vars .dev.vars.* .secrets secrets.yml secrets.yaml secrets.json secrets.toml credentials.json credentials.yml credentials.yaml
      client_secret*.json service-account*.json service_account*.json *-adminsdk-*.json application_default_credentials.json
      kubeconfig *.kubeconfig .dockercfg .dockerconfigjson .htpasswd htpasswd *.tfstate *.tfstate.* *.tfvars *.tfvars.json
      .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .qwen/oauth_creds.json .local/share/opencode/auth.json .config/goose/secrets.yaml
      .config/github-copilot/ .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history`),
  },
  {
    what: 'git hooks and settings',
    paths: [
      ...words(
        '.git/ .gitconfig .config/git/ .hg/hgrc .hgrc .jj/repo/config.toml .config/jj/ .jjconfig.toml .githooks/ .husky/ .lefthook/',
      ),
      ...HOOK_SETTINGS,
    ],
  },
  {
    what: 'run when a folder is opened',
    paths: words(`
      .envrc .direnv/ .config/direnv/ .mise.toml .mise.*.toml mise.toml mise.*.toml .mise/ .config/mise.toml .config/mise/ .gdbinit .lldbinit .tmux.conf .vscode/tasks.json .vscode/settings.json .vscode/launch.json .vscode/mcp.json
      *.code-workspace .idea/ .run/ .zed/tasks.json .zed/settings.json .zed/debug.json .devcontainer/ .devcontainer.json .exrc
      .nvimrc .nvim.lua .lvimrc .vimrc .config/nvim/ .vim/ .helix/ .config/helix/ .emacs .emacs.d/ .config/emacs/ .dir-locals.el .dir-locals-2.el
      .Rprofile .irbrc .pryrc`),
  },
  {what: 'MCP servers and settings of a folder', paths: words('.mcp.json .acp-tui.json')},
  {
    what: 'settings of an agent',
    paths: [
      ...AGENT_STATE.filter((path) => !/^\.(?:cache|local)\//.test(path)),
      ...words(
        'opencode.json opencode.jsonc .kilo/ kilo.json kilo.jsonc .amp/ .github/hooks/ .continue/ .aider.conf.yml .kiro/ .amazonq/ .codeium/',
      ),
    ],
  },
];

/** A protected path that a request names. */
export interface ProtectedMatch {
  /** The label for the user: `~/.bashrc (shell start-up file)`. */
  readonly shown: string;
  /** Matches the `folded` path. */
  readonly pattern: RegExp;
}

interface ProtectedEntry {
  readonly what: string;
  /** As displayed; absolute for acp-tui's own folders. */
  readonly path: string;
  readonly pattern: RegExp;
}

/** Returns the list, preceded by these absolute folders of acp-tui. */
export function protectedEntries(ownFolders: readonly string[]): readonly ProtectedEntry[] {
  const own = ownFolders.map((folder) => {
    const path = `${folder.replace(/(?<!\/)\/+$/, '')}/`;
    return {what: 'settings and state of acp-tui', path, pattern: new RegExp(`^${source(path)}$`)};
  });
  const listed = PROTECTED_PATHS.flatMap(({what, paths}) =>
    paths.map((path) => ({what, path, pattern: new RegExp(`/${source(path)}$`)})),
  );
  return [...own, ...listed];
}

const SECRETS = new Set(['keys', 'credentials', '.envrc', '.claude.json']);

/** Matches a path, `folded` and with a `/` before it, whose content is not copied anywhere. */
export const SECRET_PATH = new RegExp(
  protectedEntries([])
    .filter(({what, path}) => SECRETS.has(what) || SECRETS.has(path))
    .map(({pattern}) => pattern.source)
    .join('|'),
);

/** As file systems compare names that ignore case and forms of Unicode: `.gitconﬁg` and `.HUſKY` are `.gitconfig` and `.husky`. */
export function folded(path: string): string {
  const shown = path.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return shown.toUpperCase().toLowerCase();
}

function source(path: string): string {
  const names = folded(path)
    .replace(/\/$/, '')
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return names.replaceAll('*', '[^/]*') + (path.endsWith('/') ? '(?:/.*)?' : '');
}
