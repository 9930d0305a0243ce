import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import type {AgentCommand} from '../agents/resolve.ts';
import type {Result} from '../shared/failure.ts';
import {readServers, readServersFile, type ConfiguredServer} from '../mcp/config.ts';
import type {Secrets} from '../storage/mask.ts';
import {fileFailure} from '../storage/files.ts';
import type {Settings} from '../storage/settings/settings-schema.ts';
import {createMcpBook, type McpBook} from './mcp-book.ts';

export interface McpBookSources {
  /** Files of `--mcp-config`, as typed. */
  readonly files: readonly string[];
  readonly settings: Settings;
  readonly paths: {readonly config: string; readonly state: string};
  readonly secrets: Secrets;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads what settings and options name. A file of an option that names no servers at all is a failure; one bad server is a problem. */
export function openMcpBook({
  files,
  settings,
  paths,
  secrets,
  env,
}: McpBookSources): Result<{readonly book: McpBook; readonly problems: readonly string[]}> {
  const config = join(paths.config, 'config.json');
  const ofUser = readServers(settings.mcpServers ?? {}, {kind: 'user', file: config});
  const ofOptions: ConfiguredServer[] = [];
  const problems = [...ofUser.problems];
  for (const file of files) {
    try {
      const path = resolve(file);
      const read = readServersFile(readFileSync(path, 'utf8'), {kind: 'option', file: path});
      if (read.fault !== undefined)
        return {ok: false, failure: {kind: 'file', path: file, problem: read.fault}};
      ofOptions.push(...read.servers);
      problems.push(...read.problems);
    } catch (error) {
      return {ok: false, failure: fileFailure(file, error)};
    }
  }
  const {state} = paths;
  const ofAgents = Object.entries(settings.agents ?? {}).map(([name, ofAgent]) => {
    const read = readServers(ofAgent.mcpServers ?? {}, {kind: 'agent', file: config});
    problems.push(...read.problems);
    return [name, read.servers] as const;
  });
  const byAgent = new Map(ofAgents);
  const ofAgent = ({label}: AgentCommand) => byAgent.get(label) ?? [];
  const book = createMcpBook({state, ofUser: ofUser.servers, ofAgent, ofOptions, secrets, env});
  return {ok: true, value: {book, problems}};
}
