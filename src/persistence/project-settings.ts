import {createHash} from 'node:crypto';
import {statSync} from 'node:fs';
import {join} from 'node:path';
import {readServersFile, type ConfiguredServer} from '../mcp/configured.ts';
import type {PermissionRule} from '../session/permission-rules.ts';
import {codeOf} from './private-files.ts';
import {readProjectAgents, type ProjectAgents} from './project-agents.ts';
import {readRules, RULE_LISTS_ALLOWED, ruleLists} from './rule-settings.ts';
import {isTrusted} from './trusted-folders.ts';
import {failed} from '../file-failed.ts';
import {readRegularFile} from './regular-file.ts';

/** What a folder brings with it, and what of it could be used once the user trusts it. */
export interface ProjectSettings {
  readonly files: readonly ProjectFile[];
  /** Changes whenever any of the files does. */
  readonly hash: string;
  readonly rules: readonly PermissionRule[];
  readonly agents: ProjectAgents;
  readonly servers: readonly ConfiguredServer[];
  /** A sentence for each setting that cannot be used. */
  readonly problems: readonly string[];
}

export interface ProjectFile {
  readonly name: string;
  readonly text: string;
}

export const PROJECT_FILE = '.acp-tui.json';
export const SERVERS_FILE = '.mcp.json';
const FILES = [PROJECT_FILE, SERVERS_FILE];
/** More than settings ever are, and than anybody would read before saying yes. */
const LARGEST = 64 * 1024;

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
  const {permissions, agent, agents, ...others} = parseObject(textOf(PROJECT_FILE), file, problems);
  for (const name of Object.keys(others))
    problems.push(`"${name}" in ${file} is no setting of a folder; it is ignored.`);
  const ofAgents = readProjectAgents({agent, agents}, file, problems);
  return {
    files,
    hash,
    rules: [...rulesIn(permissions, file, problems), ...ofAgents.rules],
    agents: ofAgents,
    servers: serversIn(textOf(SERVERS_FILE), join(folder, SERVERS_FILE), problems),
    problems,
  };
}

function serversIn(text: string | undefined, file: string, problems: string[]): readonly ConfiguredServer[] {
  if (text === undefined) return [];
  const read = readServersFile(text, {kind: 'folder', file});
  if (read.fault !== undefined) problems.push(`No MCP servers come from ${file}: ${read.fault}.`);
  problems.push(...read.problems);
  return read.servers;
}

function readFile(path: string, problems: string[]): string | undefined {
  try {
    const {size} = statSync(path);
    if (size <= LARGEST) return readRegularFile(path);
    problems.push(`${path} is larger than 64 KiB; it is ignored.`);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR')
      problems.push(`${path} cannot be read (${failed(path, error).failure.problem}); it is ignored.`);
  }
  return undefined;
}

function rulesIn(permissions: unknown, file: string, problems: string[]): readonly PermissionRule[] {
  if (permissions === undefined) return [];
  const lists = ruleLists.safeParse(permissions);
  if (!lists.success) {
    problems.push(`"permissions" in ${file} takes ${RULE_LISTS_ALLOWED}; it is ignored.`);
    return [];
  }
  const read = readRules(lists.data, 'project', file);
  problems.push(...read.problems);
  return read.rules;
}

/** Of all settings a folder may only bring these: the others are the user's own. */
interface FolderSettings extends Readonly<Record<string, unknown>> {
  readonly permissions?: unknown;
  readonly agent?: unknown;
  readonly agents?: unknown;
}

function parseObject(text: string | undefined, file: string, problems: string[]): FolderSettings {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return {...value};
    problems.push(`${file} must hold a JSON object; it is ignored.`);
  } catch (error) {
    problems.push(`${file} cannot be read (${String(error)}); it is ignored.`);
  }
  return {};
}

/** What a folder brings, where the user has said yes to exactly that. */
export function trustedSettings(state: string, folder: string): ProjectSettings | undefined {
  const project = readProjectSettings(folder);
  return project && isTrusted(state, folder, project.hash) ? project : undefined;
}
