import {createHash} from 'node:crypto';
import {statSync} from 'node:fs';
import {basename, join, relative} from 'node:path';
import type {CustomCommand} from '../session/content/custom-command.ts';
import {readServersFile, type ConfiguredServer} from './server-config.ts';
import {tightenSandbox} from '../session/settings/sandbox.ts';
import type {Hook} from '../session/settings/hooks.ts';
import type {PermissionRule} from '../session/requests/permission-rules.ts';
import type {Failure} from '../shared/failure.ts';
import {fileProblem} from '../shared/files/file-failure.ts';
import {COMMANDS, readCommands, type UnusableCommand} from './command-files.ts';
import {codeOf, lstatIfAny, readRegularFile} from '../shared/files/safe-files.ts';
import type {AgentSettings} from './schema/agent-settings.ts';
import {unreadableFile, type SettingProblem} from './setting-problems.ts';
import {settingsIn, type ReadSettings} from './settings.ts';
import {DEFAULTS, settingsOfAgent, type Settings} from './schema/settings-schema.ts';
import {isTrusted, unreadableTrust, wasTrusted} from './trusted-folders.ts';
import {isJsonObject, parseUniqueKeys} from '../text/json.ts';
import {addAll} from '../text/lists.ts';

/** The settings of a folder, and the parts that apply once the user trusts them. */
export interface ProjectSettings {
  readonly files: readonly {readonly name: string; readonly text: string}[];
  /** Changes with any of the files. */
  readonly hash: string;
  readonly rules: readonly PermissionRule[];
  readonly hooks: readonly Hook[];
  /** The agent to start there, and settings of agents. They include commands, so nothing applies before the user trusts them. */
  readonly settings: Pick<Settings, 'agent' | 'agents' | 'permissions' | 'sandbox'>;
  readonly servers: readonly ConfiguredServer[];
  /** The commands in `.acp-tui/commands`. */
  readonly commands: readonly CustomCommand[];
  readonly unusable: readonly UnusableCommand[];
  /** Of the settings and the servers. */
  readonly problems: readonly SettingProblem[];
  /** A sentence for each command file that is ignored. */
  readonly commandProblems: readonly string[];
}

export const PROJECT_FILE = '.acp-tui.json';
export const COMMANDS_FOLDER = join('.acp-tui', COMMANDS);
export const SERVERS_FILE = '.mcp.json';
const FILES = [PROJECT_FILE, SERVERS_FILE];
/** Maximum size of a settings file, in bytes: a larger one could not be read before it is trusted. */
const MAX_SIZE = 64 * 1024;

/** Reads the settings files of a folder, once: what is shown, trusted and used is the same text. Undefined without any. */
export function readProjectSettings(folder: string): ProjectSettings | undefined {
  const problems: SettingProblem[] = [];
  const file = join(folder, PROJECT_FILE);
  const files = FILES.flatMap((name) => {
    const text = readFile(join(folder, name), problems);
    return text === undefined ? [] : [{name, text}];
  });
  const custom = readCommands({
    path: join(folder, COMMANDS_FOLDER),
    base: folder,
    isOfProject: true,
    from: 'this folder',
    ending: '.md',
    isOwn: true,
  });
  const {commands, unusable, problems: commandProblems} = custom;
  const isEmpty = [files, custom.files, problems, commandProblems].every(({length}) => length === 0);
  if (isEmpty) return undefined;
  const shown = [...files, ...custom.files.map(({name, text}) => ({name: relative(folder, name), text}))];
  const hash = createHash('sha256').update(JSON.stringify(shown)).digest('hex');
  const textOf = (wanted: string) => files.find(({name}) => name === wanted)?.text;
  const own = settingsIn(parseObject(textOf(PROJECT_FILE), file, problems), file, {of: 'project'});
  addAll(problems, own.problems);
  const {rules, hooks, settings} = own;
  const servers = serversIn(textOf(SERVERS_FILE), join(folder, SERVERS_FILE), problems);
  return {files: shown, hash, rules, hooks, settings, servers, commands, unusable, problems, commandProblems};
}

function serversIn(
  text: string | undefined,
  file: string,
  problems: SettingProblem[],
): readonly ConfiguredServer[] {
  if (text === undefined) return [];
  const read = readServersFile(text, {kind: 'folder', file});
  if (read.fault !== undefined)
    problems.push({file, wrong: `has no MCP servers (${read.fault})`, protects: false});
  addAll(problems, read.problems);
  return read.servers;
}

function readFile(path: string, problems: SettingProblem[]): string | undefined {
  try {
    const {size} = statSync(path);
    if (size <= MAX_SIZE) return readRegularFile(path);
    problems.push({file: path, wrong: 'is larger than 64 KiB', protects: protects(path)});
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
    if (!isMissing) problems.push(unreadable(path, error));
    else if (lstatIfAny(path)) problems.push(unreadable(path, 'its target does not exist'));
  }
  return undefined;
}

function parseObject(text: string | undefined, file: string, problems: SettingProblem[]): object {
  if (text === undefined) return {};
  try {
    const value = parseUniqueKeys(text);
    if (isJsonObject(value)) return value;
    problems.push({file, wrong: 'must be a JSON object', protects: true});
  } catch (error) {
    problems.push(unreadable(file, error));
  }
  return {};
}

function unreadable(path: string, error: unknown): SettingProblem {
  return {...unreadableFile(path, fileProblem(error)), protects: protects(path)};
}

/** The servers' file loosens nothing. */
function protects(path: string): boolean {
  return basename(path) === PROJECT_FILE;
}

/** Returns the user's settings with those of a folder, if trusted. Of a folder that was trusted before, a fault is one of all settings: it was relied on. */
export function withFolder(
  read: ReadSettings,
  {state, folder}: {readonly state: string; readonly folder: string},
): ReadSettings {
  const project = readProjectSettings(folder);
  if (!project) return read;
  const used = isTrusted(state, folder, project.hash) ? project : undefined;
  const faults = project.problems.filter(({protects}) => protects && wasTrusted(state, folder));
  return {...withProjectAgents(read, used), problems: [...read.problems, ...faults]};
}

/** Returns why nothing starts there where no window asks: without what the user has trusted, what that forbade would be allowed. */
export function changedSettings(state: string, folder: string): Failure | undefined {
  const project = readProjectSettings(folder);
  const unreadable = unreadableTrust(state);
  const because = (why: string): Failure => ({kind: 'invalid_setting', problem: `${why}; no agent starts.`});
  if (project && unreadable !== undefined)
    return because(`It is unknown whether you trust the settings of ${folder}: ${unreadable} cannot be read`);
  if (!wasTrusted(state, folder) || (project && isTrusted(state, folder, project.hash))) return undefined;
  const happened = project ? 'have changed since you trusted them' : 'that you trusted are gone';
  const todo = project
    ? 'Accept them in a window that is started there, or put what has changed back as it was'
    : 'A window that is started there accepts that';
  return because(`The settings of ${folder} ${happened}. ${todo}`);
}

/** Returns the settings with a folder's agent settings, which override the user's own but not the environment. Those of a sandbox become tighter. */
export function withProjectAgents(read: ReadSettings, project: ProjectSettings | undefined): ReadSettings {
  if (!project) return read;
  const {settings, fromEnvironment} = read;
  const agents = {...settings.agents};
  for (const [id, ofFolder] of Object.entries(project.settings.agents ?? {})) {
    agents[id] = joined(settingsOfAgent({agents}, id), ofFolder);
  }
  const {sandbox = {}} = project.settings;
  for (const [id, of] of Object.entries(agents))
    if (of.sandbox) agents[id] = {...of, sandbox: tightenSandbox(of.sandbox, sandbox)};
  const agent = fromEnvironment.has('agent') ? settings.agent : (project.settings.agent ?? settings.agent);
  return {
    ...read,
    settings: {
      ...settings,
      sandbox: tightenSandbox(settings.sandbox ?? {}, sandbox, {...DEFAULTS.sandbox, hidden: []}),
      ...(agent !== undefined && {agent}),
      agents,
    },
  };
}

/** Variables and the provider that the user set for another program are not passed to the folder's. */
function joined(own: AgentSettings, ofFolder: AgentSettings): AgentSettings {
  const {env: ofUser, provider: _, ...others} = own;
  const isOther = ofFolder.command !== undefined;
  const env = either(isOther ? {} : ofUser, ofFolder.env);
  const options = either(own.options, ofFolder.options);
  return {...(isOther ? others : own), ...ofFolder, ...(env && {env}), ...(options && {options})};
}

function either<Values extends object>(
  own: Values | undefined,
  ofFolder: Values | undefined,
): Values | undefined {
  return own && ofFolder ? {...own, ...ofFolder} : (ofFolder ?? own);
}
