import type {LabAgent} from './agents.ts';

/** Those that the live tests do not use; most cannot be tested further without an account. */
const claude: LabAgent = {
  package: '@agentclientprotocol/claude-agent-acp',
  version: '0.100.0',
  command: ['claude-agent-acp'],
  env: ({model, home}) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    IS_SANDBOX: '1',
  }),
  files: () => ({}),
};

const qwen: LabAgent = {
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  command: ['qwen', '--acp'],
  env: ({model}) => ({
    OPENAI_BASE_URL: `${model}/v1`,
    OPENAI_API_KEY: 'dummy',
    OPENAI_MODEL: 'mock-1',
    QWEN_TELEMETRY_ENABLED: 'false',
  }),
  files: () => ({
    '.qwen/settings.json': JSON.stringify({
      security: {auth: {selectedType: 'openai'}},
      privacy: {usageStatisticsEnabled: false},
      general: {disableAutoUpdate: true, enableAutoUpdate: false},
    }),
  }),
};

const oldgemini: LabAgent = {
  package: '@google/gemini-cli',
  version: '0.20.0',
  command: ['gemini', '--experimental-acp', '-m', 'gemini-2.5-flash'],
  env: ({model}) => ({
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_API_KEY: 'dummy',
    GEMINI_TELEMETRY_ENABLED: 'false',
    // It sends everything to a proxy, whatever NO_PROXY says.
    HTTPS_PROXY: '',
  }),
  files: () => ({
    '.gemini/settings.json': JSON.stringify({
      security: {auth: {selectedType: 'gemini-api-key'}},
      privacy: {usageStatisticsEnabled: false},
      general: {disableAutoUpdate: true},
    }),
  }),
};

const cline: LabAgent = {
  package: 'cline',
  version: '3.0.65',
  command: ['cline', '--acp'],
  env: () => ({CLINE_API_KEY: 'dummy', CLINE_PROVIDER: 'openai-compatible', CLINE_MODEL: 'mock-1'}),
  // The file that `cline auth` writes.
  files: ({model}) => {
    const provider = 'openai-compatible';
    const settings = {provider, apiKey: 'dummy', model: 'mock-1', baseUrl: `${model}/v1`};
    const updatedAt = '2026-01-01T00:00:00.000Z';
    return {
      '.cline/data/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: provider,
        modes: {},
        providers: {[provider]: {settings, updatedAt, tokenSource: 'manual'}},
      }),
    };
  },
};

const auggie: LabAgent = {
  package: '@augmentcode/auggie',
  version: '0.36.0',
  command: ['auggie', '--acp'],
  env: () => ({}),
  files: () => ({}),
};

/** An adapter, and the agent that it runs. */
const pi: LabAgent = {
  package: 'pi-acp',
  version: '0.0.34',
  needs: {'@earendil-works/pi-coding-agent': '0.87.1'},
  command: ['pi-acp'],
  env: () => ({PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0'}),
  files: ({model}) => ({
    '.pi/agent/settings.json': JSON.stringify({defaultProvider: 'mock', defaultModel: 'mock-1'}),
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        mock: {
          baseUrl: `${model}/v1`,
          api: 'openai-completions',
          apiKey: 'dummy',
          models: [{id: 'mock-1', input: ['text', 'image'], contextWindow: 100_000}, {id: 'mock-2'}],
        },
      },
    }),
  }),
};

const copilot: LabAgent = {
  package: '@github/copilot',
  version: '1.0.102',
  command: ['copilot', '--acp'],
  env: ({model, folder}) => ({
    // It unpacks itself, 235 MB, on its first start.
    COPILOT_PKG_CACHE_HOME: `${folder}/unpacked`,
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'mock-1',
  }),
  files: () => ({}),
};

/** A fork of OpenCode, with its settings. */
const kilo: LabAgent = {
  package: '@kilocode/cli',
  // The newest with a program in the registry for every system.
  version: '7.7.7',
  command: ['kilo', 'acp'],
  env: () => ({
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_DISABLE_SESSION_INGEST: '1',
    KILO_DISABLE_CODEBASE_INDEXING: '1',
  }),
  files: ({model}) => ({
    '.config/kilo/kilo.json': JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: 'mock/mock-1',
      small_model: 'mock/mock-1',
      permission: {edit: 'ask', bash: 'ask'},
      provider: {
        mock: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Mock',
          options: {baseURL: `${model}/v1`, apiKey: 'dummy'},
          models: {'mock-1': {name: 'Mock 1', tool_call: true, limit: {context: 100_000, output: 8000}}},
        },
      },
    }),
  }),
};

/** Asks by itself without content, and then writes and runs through the client. */
const kimi: LabAgent = {
  package: '@moonshot-ai/kimi-code',
  version: '2.1.0',
  command: ['kimi', 'acp'],
  env: ({model, home}) => ({
    KIMI_CODE_HOME: `${home}/.kimi-code`,
    KIMI_CODE_NO_AUTO_UPDATE: '1',
    KIMI_MODEL_NAME: 'mock-1',
    KIMI_MODEL_BASE_URL: `${model}/v1`,
    KIMI_MODEL_API_KEY: 'dummy',
    KIMI_MODEL_PROVIDER_TYPE: 'openai',
    KIMI_MODEL_MAX_CONTEXT_SIZE: '100000',
  }),
  files: () => ({}),
};

/** Asks by itself, and then writes and runs through the client, with 13 variables of its own. */
const grok: LabAgent = {
  package: '@xai-official/grok',
  version: '1.0.41',
  command: ['grok', 'agent', '--no-leader', 'stdio'],
  env: ({home}) => ({
    GROK_HOME: `${home}/.grok`,
    GROK_DISABLE_AUTOUPDATER: '1',
    GROK_FOLDER_TRUST: '0',
    XAI_API_KEY: 'dummy',
  }),
  files: ({model}) => ({
    '.grok/config.toml': `\
[models]
default = "mock-1"

[model.mock-1]
model = "mock-1"
base_url = "${model}/v1"
name = "Mock 1"
api_key = "dummy"
context_window = 100000
`,
  }),
};

/** An older adapter for Claude by another publisher. */
const zedClaude: LabAgent = {
  ...claude,
  package: '@zed-industries/claude-code-acp',
  version: '0.16.2',
  command: ['claude-code-acp'],
};

/** An older adapter for Codex by another publisher. */
const zedCodex: LabAgent = {
  package: '@zed-industries/codex-acp',
  version: '0.16.0',
  command: ['codex-acp'],
  env: ({home}) => ({
    CODEX_HOME: `${home}/.codex`,
    OPENAI_API_KEY: 'dummy',
    NO_BROWSER: '1',
    MODEL_PROVIDER: 'mock',
  }),
  files: ({model}) => ({
    '.codex/config.toml': `\
model = "gpt-5"
model_provider = "mock"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false

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

export const OTHER_AGENTS = {
  claude,
  qwen,
  oldgemini,
  cline,
  auggie,
  pi,
  copilot,
  kilo,
  kimi,
  grok,
  'zed-claude': zedClaude,
  'zed-codex': zedCodex,
};
