import {dirname} from 'node:path';
import {escapeHiddenLine} from '../text/hidden.ts';
import {isJsonObject, jsonOf} from '../text/json.ts';
import {quoteWords} from '../text/shell-quote.ts';
import type {SettingProblem} from './setting-problems.ts';
import {address, MCP_SERVER_ALLOWED, program} from './schema/server-settings.ts';

/** The source of a server. For equal names, later kinds take precedence: from user settings to options. */
export interface McpSource {
  readonly kind: 'user' | 'agent' | 'folder' | 'option';
  /** Absolute. */
  readonly file: string;
  /** Set if no variables are expanded in its values: an editor has expanded its own. */
  readonly isLiteral?: true;
}

/** A server as configured in a file; nothing is expanded or looked up yet. */
export type ConfiguredServer = {
  readonly name: string;
  readonly source: McpSource;
  readonly disabled: boolean;
} & (
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Pairs;
      /** Absolute; base of a relative command. */
      readonly base: string;
    }
  | {readonly transport: 'http' | 'sse'; readonly url: string; readonly headers: Pairs}
);

type Pairs = readonly (readonly [name: string, value: string])[];

/** Valid servers, and what is wrong with the others. */
interface ReadServers {
  readonly servers: readonly ConfiguredServer[];
  readonly problems: readonly SettingProblem[];
}

/** Fields of other clients that the protocol does not support. */
const UNKNOWN_TO_PROTOCOL = ['cwd', 'envFile'];

/** Parses servers by name. Deceptive names are invalid. */
export function readServers(value: unknown, source: McpSource): ReadServers {
  const problems: SettingProblem[] = [];
  const report = (wrong: string) => void problems.push({wrong, protects: false});
  if (!isJsonObject(value)) report(`MCP servers in ${source.file} must be an object`);
  const servers = Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, raw]) => {
    const where = `MCP server "${escapeHiddenLine(name)}" in ${source.file}`;
    const server = readServer(raw, {name, source});
    if (!server) report(`${where} must be ${MCP_SERVER_ALLOWED}`);
    else if (!isName(name)) report(`${where} has a name with unprintable characters`);
    else {
      const unknown = UNKNOWN_TO_PROTOCOL.filter((field) => field in (raw as object));
      for (const field of unknown) report(`${where} has "${field}", which cannot be passed to an agent`);
      return [server];
    }
    return [];
  });
  return {servers, problems};
}

/** The servers of a file, or why it contains none. */
type ReadServersFile = ReadServers & {readonly fault?: string};

/** Parses a file of servers: `{"mcpServers": {…}}`, or VS Code's `{"servers": {…}}`. */
export function readServersFile(text: string, source: McpSource): ReadServersFile {
  const value = jsonOf(text);
  if (typeof value === 'object' && value !== null) {
    if ('mcpServers' in value) return readServers(value.mcpServers, source);
    if ('servers' in value) return readServers(value.servers, source);
  }
  const fault = value === undefined ? 'it is not JSON' : 'it has no "mcpServers"';
  return {servers: [], problems: [], fault};
}

function readServer(
  raw: unknown,
  named: Pick<ConfiguredServer, 'name' | 'source'>,
): ConfiguredServer | undefined {
  const asProgram = program.safeParse(raw);
  if (asProgram.success) {
    const {command, args = [], env = {}, disabled = false} = asProgram.data;
    const base = dirname(named.source.file);
    return {...named, disabled, transport: 'stdio', command, args, env: pairs(env), base};
  }
  const asAddress = address.safeParse(raw);
  if (!asAddress.success) return undefined;
  const {type, url, headers = {}, disabled = false} = asAddress.data;
  return {...named, disabled, transport: type === 'sse' ? 'sse' : 'http', url, headers: pairs(headers)};
}

function pairs(record: Readonly<Record<string, unknown>>): Pairs {
  return Object.entries(record).map(([name, value]) => [name, String(value)]);
}

function isName(name: string): boolean {
  return name !== '' && name.length <= 100 && escapeHiddenLine(name) === name;
}

/** Returns its command line or URL as configured, in one line. */
export function describeServer(server: ConfiguredServer): string {
  return escapeHiddenLine(
    server.transport === 'stdio' ? quoteWords([server.command, ...server.args]) : server.url,
  );
}

/** The parts of a server that may contain variables. */
export function textsOf(server: ConfiguredServer): readonly string[] {
  const values = (raw: Pairs) => raw.map(([, value]) => value);
  return server.transport === 'stdio'
    ? [server.command, ...server.args, ...values(server.env)]
    : [server.url, ...values(server.headers)];
}

/** A server, and the one with the same name that it replaces. */
export type MergedServer = ConfiguredServer & {
  /** The server it replaces, if any. */
  readonly insteadOf?: McpSource;
};

/** Merges servers of several sources by name: the last one counts, at the position of the first. */
export function mergeServers(lists: readonly (readonly ConfiguredServer[])[]): readonly MergedServer[] {
  const merged = new Map<string, MergedServer>();
  for (const server of lists.flat()) {
    const before = merged.get(server.name);
    merged.set(server.name, before ? {...server, insteadOf: before.source} : server);
  }
  return [...merged.values()];
}
