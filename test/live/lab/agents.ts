import {OTHER_AGENTS} from './other-agents.ts';

/** The environment of one run of an agent: its own home, and the address of its scripted model. */
export interface Place {
  readonly home: string;
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly model: string;
  /** The folder in which it is installed: what it unpacks may stay there. */
  readonly folder: string;
}

export interface LabAgent {
  /** The npm package and the exact version that is installed. */
  readonly package: string;
  readonly version: string;
  /** Further packages that it runs, with their exact versions. */
  readonly needs?: Readonly<Record<string, string>>;
  /** A program of the package, and the arguments that make it speak ACP over standard input and output. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Programs that it must not find in `PATH`. */
  readonly without?: readonly string[];
  /** Environment variables that point it at the scripted model and keep it off the network. */
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  /** Files that it needs in its home: path below the home to content. */
  readonly files: (place: Place) => Readonly<Record<string, string>>;
}

const gemini: LabAgent = {
  package: '@google/gemini-cli',
  version: '0.61.0',
  command: ['gemini', '--acp', '-m', 'gemini-2.5-flash'],
  env: ({model}) => ({
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_API_KEY: 'dummy',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  files: () => ({
    '.gemini/settings.json': JSON.stringify({
      security: {auth: {selectedType: 'gemini-api-key'}},
      privacy: {usageStatisticsEnabled: false},
      general: {disableAutoUpdate: true, enableAutoUpdate: false},
    }),
  }),
};

const opencode: LabAgent = {
  package: 'opencode-ai',
  version: '1.18.33',
  command: ['opencode', 'acp'],
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  files: ({model}) => {
    const limit = {context: 100_000, output: 8000};
    const mock = {
      npm: '@ai-sdk/openai-compatible',
      name: 'Mock',
      options: {baseURL: `${model}/v1`, apiKey: 'dummy'},
      models: {
        'mock-1': {name: 'Mock 1', reasoning: true, tool_call: true, limit},
        'mock-2': {name: 'Mock 2', tool_call: true, limit},
      },
    };
    return {
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'mock/mock-1',
        small_model: 'mock/mock-1',
        permission: {edit: 'ask', bash: 'ask'},
        provider: {mock},
      }),
    };
  },
};

const codex: LabAgent = {
  package: '@agentclientprotocol/codex-acp',
  version: '2.6.0',
  command: ['codex-acp'],
  // With that of Debian 12 its own sandbox fails; without one it brings another.
  without: ['bwrap'],
  env: ({home}) => ({
    CODEX_HOME: `${home}/.codex`,
    OPENAI_API_KEY: 'dummy',
    NO_BROWSER: '1',
    MODEL_PROVIDER: 'mock',
  }),
  files: ({model}) => ({
    '.codex/config.toml': `\
model = "gpt-6.1-sol"
model_provider = "mock"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false
model_reasoning_summary = "detailed"

[analytics]
enabled = false

[model_providers.mock]
name = "mock"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
requires_openai_auth = false
`,
  }),
};

/** Those that the live tests need. */
export const AGENTS = {gemini, opencode, codex};
export type AgentName = keyof typeof AGENTS;
export const AGENT_NAMES = Object.keys(AGENTS) as AgentName[];

/** Those that only single live tests need. */
export const SINGLE_AGENT_NAMES = [
  'claude',
  'cline',
  'copilot',
  'grok',
  'kilo',
  'kimi',
  'pi',
  'qwen',
  'zed-claude',
  'zed-codex',
] as const satisfies readonly AnyAgentName[];

/** All that can be run here. */
export const ALL_AGENTS = {...AGENTS, ...OTHER_AGENTS};
export type AnyAgentName = keyof typeof ALL_AGENTS;
export const ALL_AGENT_NAMES = Object.keys(ALL_AGENTS) as AnyAgentName[];

export function isAgentName(name: string): name is AnyAgentName {
  return Object.hasOwn(ALL_AGENTS, name);
}
