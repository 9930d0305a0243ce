import {createHash} from 'node:crypto';
import {statSync} from 'node:fs';
import {join} from 'node:path';
import {readServersFile, type ConfiguredServer} from '../../mcp/config.ts';
import type {PermissionRule} from '../../session/requests/permission-rules.ts';
import {failed} from '../../shared/file-failure.ts';
import {codeOf, readRegularFile} from '../files.ts';
import {readAgents, type AgentSettings, type AgentsSettings} from './agent-settings.ts';
import {readRules, RULE_LISTS_ALLOWED} from './rule-settings.ts';
import type {SettingPath} from './setting-paths.ts';
import {invalidSetting} from './setting-problems.ts';
import {settingFields} from './settings-schema.ts';
import type {ReadSettings} from './settings.ts';
import {isTrusted} from './trusted-folders.ts';
import {isFields} from '../../text/json.ts';

/** The settings of a folder, and the parts that apply once the user trusts them. */
export interface ProjectSettings {
  readonly files: readonly ProjectFile[];
  /** Changes with any of the files. */
  readonly hash: string;
  readonly rules: readonly PermissionRule[];
  readonly agents: ProjectAgents;
  readonly servers: readonly ConfiguredServer[];
  /** A sentence for each invalid setting. */
  readonly problems: readonly string[];
}

interface ProjectFile {
  readonly name: string;
  readonly text: string;
}

export const PROJECT_FILE = '.acp-tui.json';
export const SERVERS_FILE = '.mcp.json';
const FILES = [PROJECT_FILE, SERVERS_FILE];
/** Maximum size of a settings file, in bytes: a larger one could not be read before it is trusted. */
const MAX_SIZE = 64 * 1024;

/** Reads the settings files of a folder, once: what is shown, trusted and used is the same text. Undefined without any. */
export function readProjectSettings(folder: string): ProjectSettings | undefined {
  const problems: string[] = [];
  const files = FILES.flatMap((name) => {
    const text = readFile(join(folder, name), problems);
    return text === undefined ? [] : [{name, text}];
  });
  if (files.length === 0 && problems.length === 0) return undefined;
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex');
  const textOf = (wanted: string) => files.find(({name}) => name === wanted)?.text;
  const file = join(folder, PROJECT_FILE);
  const own = readOwn(parseObject(textOf(PROJECT_FILE), file, problems), file);
  problems.push(...own.problems);
  return {
    files,
    hash,
    rules: own.rules,
    agents: own.agents,
    servers: serversIn(textOf(SERVERS_FILE), join(folder, SERVERS_FILE), problems),
    problems,
  };
}

/** Returns the settings in an object for a folder's file. */
function readOwn(
  {permissions, agent, agents, ...others}: FolderSettings,
  file: string,
): Pick<ProjectSettings, 'rules' | 'agents' | 'problems'> {
  const problems = Object.keys(others).map(
    (name) => `"${name}" in ${file} is not a folder setting; it is ignored.`,
  );
  const ofAgents = readProjectAgents({agent, agents}, file, problems);
  return {rules: [...rulesIn(permissions, file, problems), ...ofAgents.rules], agents: ofAgents, problems};
}

/** Returns all problems that would be reported with these settings of a folder. */
export function projectProblems(content: object, file: string): readonly string[] {
  return readOwn({...content}, file).problems;
}

/** True for a setting that a folder may have. */
export function isProjectSetting([name, , field]: SettingPath): boolean {
  if (name === 'agents') return !(NOT_OF_FOLDERS as readonly (string | undefined)[]).includes(field);
  return name === 'agent' || name === 'permissions';
}

function serversIn(text: string | undefined, file: string, problems: string[]): readonly ConfiguredServer[] {
  if (text === undefined) return [];
  const read = readServersFile(text, {kind: 'folder', file});
  if (read.fault !== undefined) problems.push(`MCP servers of ${file} ignored: ${read.fault}.`);
  problems.push(...read.problems);
  return read.servers;
}

function readFile(path: string, problems: string[]): string | undefined {
  try {
    const {size} = statSync(path);
    if (size <= MAX_SIZE) return readRegularFile(path);
    problems.push(`${path} is larger than 64 KiB; it is ignored.`);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR')
      problems.push(`${path} cannot be read (${failed(path, error).failure.problem}); it is ignored.`);
  }
  return undefined;
}

function rulesIn(permissions: unknown, file: string, problems: string[]): readonly PermissionRule[] {
  if (permissions === undefined) return [];
  if (!isFields(permissions)) {
    problems.push(`"permissions" in ${file} must be ${RULE_LISTS_ALLOWED}; it is ignored.`);
    return [];
  }
  const read = readRules(permissions, 'project', file);
  problems.push(...read.problems);
  return read.rules;
}

/** The settings that a folder may contain: all others are the user's own. */
interface FolderSettings extends Readonly<Record<string, unknown>> {
  readonly permissions?: unknown;
  readonly agent?: unknown;
  readonly agents?: unknown;
}

function parseObject(text: string | undefined, file: string, problems: string[]): FolderSettings {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return {...value};
    problems.push(`${file} must be a JSON object; it is ignored.`);
  } catch (error) {
    problems.push(`${file} cannot be read (${String(error)}); it is ignored.`);
  }
  return {};
}

/** Returns the settings of a folder if the user trusts exactly these. */
export function trustedSettings(state: string, folder: string): ProjectSettings | undefined {
  const project = readProjectSettings(folder);
  return project && isTrusted(state, folder, project.hash) ? project : undefined;
}

/** A folder's agent settings. They include commands, so nothing applies before the user trusts them. */
interface ProjectAgents {
  /** The agent to start there. */
  readonly agent?: string;
  readonly agents: AgentsSettings;
  /** Rules of these agents. */
  readonly rules: readonly PermissionRule[];
}

/** Settings that only the user may make: auto-approval, and where a remote agent sends prompts and token; servers have a file of their own. */
const NOT_OF_FOLDERS = [
  'approve',
  'mcpServers',
  'url',
  'token',
  'headers',
  'allowUnencrypted',
  'cwd',
  'files',
  'terminals',
  'mcpOverAcp',
] as const satisfies readonly (keyof AgentSettings)[];

/** Reads `agent` and `agents` of a folder's settings; problems are added to `problems`. */
function readProjectAgents(
  {agent, agents}: {readonly agent?: unknown; readonly agents?: unknown},
  file: string,
  problems: string[],
): ProjectAgents {
  const name = settingFields.agent.schema.safeParse(agent);
  if (agent !== undefined && !name.success)
    problems.push(invalidSetting(`"agent" in ${file}`, settingFields.agent.allowed, agent));
  const isObject = settingFields.agents.schema.safeParse(agents).success;
  if (agents !== undefined && !isObject)
    problems.push(invalidSetting(`"agents" in ${file}`, settingFields.agents.allowed, agents));
  const read = readAgents(isObject ? (agents as object) : {}, file);
  problems.push(...read.problems);
  const own = Object.entries(read.agents).map(([id, settings]) => {
    const kept = {...settings};
    for (const field of NOT_OF_FOLDERS) {
      if (settings[field] === undefined) continue;
      problems.push(`"agents.${id}.${field}" in ${file} is not a folder setting; it is ignored.`);
      delete kept[field];
    }
    return [id, kept] as const;
  });
  return {
    ...(name.success && {agent: name.data}),
    agents: Object.fromEntries(own),
    rules: read.rules.map(({effect, text, about}) => ({effect, text, about, source: 'project'})),
  };
}

/** Returns the settings with a folder's agent settings, which override the user's own but not the environment. */
export function withProjectAgents(read: ReadSettings, project: ProjectAgents | undefined): ReadSettings {
  if (!project) return read;
  const {settings, fromEnvironment} = read;
  const agents = {...settings.agents};
  for (const [id, ofFolder] of Object.entries(project.agents)) {
    const own = Object.hasOwn(agents, id) ? agents[id] : undefined;
    agents[id] = joined(own, ofFolder);
  }
  const agent = fromEnvironment.has('agent') ? settings.agent : (project.agent ?? settings.agent);
  return {...read, settings: {...settings, ...(agent !== undefined && {agent}), agents}};
}

/** Variables that the user set for another program are not passed to the folder's. */
function joined(own: AgentSettings | undefined, ofFolder: AgentSettings): AgentSettings {
  const env = ofFolder.command === undefined ? {...own?.env, ...ofFolder.env} : {...ofFolder.env};
  return {...own, ...ofFolder, env, options: {...own?.options, ...ofFolder.options}};
}
