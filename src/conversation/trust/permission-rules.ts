import type {Result} from '../../shared/failure.ts';
import type {AuditOf} from '../../storage/audit.ts';
import {realpathOrItself} from '../../shared/files/folders.ts';
import {statIfAny} from '../../shared/files/safe-files.ts';
import {storedLists, withoutRule, withRule, type StoredLists} from '../../settings/schema/rule-settings.ts';
import {changeAt, readSettings, settingsFile, settingsToChange} from '../../settings/settings.ts';
import type {LogRecord, PermissionRule} from '../../session/requests/permission-rules.ts';
import type {Hook} from '../../session/settings/hooks.ts';
import type {Permissions} from '../options.ts';

type Unlogged = Omit<Permissions, 'decided' | 'hookRan'>;

/** Rules, hooks and decisions of one run. The user's own are stored in the settings. */
export interface PermissionRules extends Unlogged {
  /** Returns what a session with this agent needs: its decisions are in the agent's log. */
  of(agent: string): Permissions;
  /** Removes a rule of the user. */
  remove(text: string): Promise<Result<void>>;
  /** Reads the user's rules again. */
  reload(): void;
  /** Applies a trusted folder's rules, in place of earlier ones of that folder. */
  useProject(project: ProjectRules): void;
  /** True if rules of exactly that folder were applied: they hold until the process ends, however its files change. */
  hasProject(folder: string): boolean;
  /** Returns the logged decisions of a session with an agent, and what hooks did. */
  log(agent: string, sessionId: string): readonly LogRecord[];
}

/** Permission rules and hooks of a trusted folder. */
export interface ProjectRules extends ProjectPlace {
  readonly rules: readonly PermissionRule[];
  readonly hooks: readonly Hook[];
}

/** Where the settings of a trusted folder hold. */
export interface ProjectPlace {
  /** Its real path. */
  readonly folder: string;
  /** True for that folder, by any of its paths, and for its worktrees. */
  readonly holdIn: (folder: string) => boolean;
}

/** Returns those that hold in a folder, of the settings of several. */
export function projectIn<Project extends ProjectPlace>(
  projects: ReadonlyMap<string, Project>,
  folder: string,
): Project | undefined {
  return projects.get(folder) ?? Array.from(projects.values()).find(({holdIn}) => holdIn(folder));
}

interface PermissionRulesOptions {
  /** The config folder. */
  readonly config: string;
  readonly rules: readonly PermissionRule[];
  /** Those of the command line. */
  readonly ofRun?: readonly PermissionRule[];
  readonly hooks: readonly Hook[];
  readonly audit: AuditOf;
}

export function createPermissionRules({
  config,
  rules,
  ofRun = [],
  hooks,
  audit,
}: PermissionRulesOptions): PermissionRules {
  let ofUser: Pick<ProjectRules, 'rules' | 'hooks'> = {rules, hooks};
  const projects = new Map<string, ProjectRules>();
  let read = versionOf(settingsFile(config));

  /** Changes the current file: another window may have changed it. */
  async function change(changeLists: (lists: StoredLists) => StoredLists): Promise<Result<void>> {
    const file = settingsFile(config);
    const content = settingsToChange(file);
    if (!content.ok) return content;
    const lists = storedLists(content.value, file);
    if (!lists.ok) return lists;
    const written = await changeAt(config, ['permissions'], changeLists(lists.value));
    if (!written.ok) return written;
    reload();
    return written;
  }

  function reload(): void {
    const file = settingsFile(config);
    read = versionOf(file);
    const found = readSettings(config, {});
    // With a fault a rule may be missing, and without a file all are: those that were read before still hold.
    const isWhole =
      read !== NO_FILE && versionOf(file) === read && !found.problems.some(({protects}) => protects);
    if (isWhole) ofUser = found;
  }

  /** Another window, or the service whose session it shows, may have changed them. */
  function current(): typeof ofUser {
    if (versionOf(settingsFile(config)) !== read) reload();
    return ofUser;
  }

  const shared: Unlogged = {
    rules: (folder) => [...current().rules, ...ofRun, ...(projectIn(projects, folder)?.rules ?? [])],
    hooks: (folder) => [...current().hooks, ...(projectIn(projects, folder)?.hooks ?? [])],
    add: (rule) => change((lists) => withRule(lists, rule)),
  };

  return {
    ...shared,
    of: (agent) => logged(shared, audit(agent)),
    reload,
    remove: (text) => change((lists) => withoutRule(lists, text)),
    useProject: (trusted) => void projects.set(trusted.folder, trusted),
    hasProject: (folder) => projects.has(realpathOrItself(folder)),
    log: (agent, sessionId) => audit(agent).read(sessionId),
  };
}

function logged(shared: Unlogged, {append}: ReturnType<AuditOf>): Permissions {
  return {
    ...shared,
    decided: (decision) => append({at: Date.now(), ...decision}),
    hookRan: (record) => append({at: Date.now(), ...record}),
  };
}

const NO_FILE = '';

/** Returns what differs after a file was changed. */
function versionOf(file: string): string {
  const stats = statIfAny(file);
  return stats ? [stats.mtimeMs, stats.ctimeMs, stats.ino, stats.size].join(' ') : NO_FILE;
}
