import {createHash} from 'node:crypto';
import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {readServersFile, type ConfiguredServer} from '../mcp/configured.ts';
import type {PermissionRule} from '../session/permission-rules.ts';
import {codeOf} from './private-files.ts';
import {readRules, RULE_LISTS_ALLOWED, ruleLists} from './rule-settings.ts';

/** What a folder brings with it, and what of it could be used once the user trusts it. */
export interface ProjectSettings {
  readonly files: readonly ProjectFile[];
  /** Changes whenever any of the files does. */
  readonly hash: string;
  readonly rules: readonly PermissionRule[];
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
  return {
    files,
    hash,
    rules: rulesIn(textOf(PROJECT_FILE), join(folder, PROJECT_FILE), problems),
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
    const stats = statSync(path);
    if (stats.isFile() && stats.size <= LARGEST) return readFileSync(path, 'utf8');
    problems.push(`${path} is ${stats.isFile() ? 'larger than 64 KiB' : 'no file'}; it is ignored.`);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR')
      problems.push(`${path} cannot be read (${String(error)}); it is ignored.`);
  }
  return undefined;
}

/** Of all settings a folder may only bring rules: the others are the user's own. */
function rulesIn(text: string | undefined, file: string, problems: string[]): readonly PermissionRule[] {
  if (text === undefined) return [];
  const {permissions, ...others} = parseObject(text, file, problems);
  for (const name of Object.keys(others))
    problems.push(`"${name}" in ${file} is no setting of a folder; it is ignored.`);
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

function parseObject(text: string, file: string, problems: string[]): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return {...value};
    problems.push(`${file} must hold a JSON object; it is ignored.`);
  } catch (error) {
    problems.push(`${file} cannot be read (${String(error)}); it is ignored.`);
  }
  return {};
}
