import {findAgentId, KNOWN_PROGRAMS} from './programs.ts';
import type {RegistryEntry} from './registry.ts';

/** Well-known agents that are npm packages, in the version of docs/internals/tested-agents.md. Goose and Cursor are no packages. */
export const TESTED_PACKAGES: Readonly<Record<string, readonly [name: string, version: string]>> = {
  'claude-acp': ['@agentclientprotocol/claude-agent-acp', '0.100.0'],
  'codex-acp': ['@agentclientprotocol/codex-acp', '2.6.0'],
  gemini: ['@google/gemini-cli', '0.61.0'],
  opencode: ['opencode-ai', '1.18.33'],
  'github-copilot-cli': ['@github/copilot', '1.0.102'],
  'qwen-code': ['@qwen-code/qwen-code', '0.24.4'],
};

/** Returns what can be installed of an agent while the registry cannot be reached: the version that acp-tui was tested with. */
export function testedAgent(name: string): RegistryEntry | undefined {
  const known = KNOWN_PROGRAMS.find(({id}) => id === name || id === findAgentId(name));
  const tested = known && TESTED_PACKAGES[known.id];
  if (!known || !tested) return undefined;
  const [package_, version] = tested;
  const {id, program, args} = known;
  return {
    id,
    name: known.name,
    version,
    description: 'the version that acp-tui was tested with',
    authors: [],
    distribution: {npx: {package: `${package_}@${version}`, cmd: program, args: [...args], env: {}}},
  };
}
