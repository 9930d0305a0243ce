import {readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import {AGENT_NAMES, ALL_AGENTS, SINGLE_AGENT_NAMES, type AnyAgentName, type LabAgent} from './agents.ts';

/** Where the agents are installed: outside of the project, since they are large and third-party. */
export const LAB =
  process.env['ACP_TUI_LAB'] ??
  path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'acp-tui-lab');

/** Each agent has its own folder, so that none gets another's dependencies. */
export function folderOf(name: AnyAgentName): string {
  return path.join(LAB, name);
}

/** The programs of an installed agent. */
export function programsOf(name: AnyAgentName): string {
  return path.join(folderOf(name), 'node_modules/.bin');
}

/** True if exactly the versions of this lab are installed. */
export function isInstalled(name: AnyAgentName): boolean {
  const {package: from, version, needs}: LabAgent = ALL_AGENTS[name];
  return Object.entries({[from]: version, ...needs}).every((wanted) => isPackageThere(name, ...wanted));
}

function isPackageThere(name: AnyAgentName, from: string, version: string): boolean {
  try {
    const manifest = path.join(folderOf(name), 'node_modules', from, 'package.json');
    return JSON.parse(readFileSync(manifest, 'utf8')).version === version;
  } catch {
    return false;
  }
}

export function missingAgents(): AnyAgentName[] {
  return [...AGENT_NAMES, ...SINGLE_AGENT_NAMES].filter((name) => !isInstalled(name));
}
