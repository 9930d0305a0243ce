import type {LabAgent} from './agents.ts';

/** What is examined by the doctor only: most of these can be tried no further without an account. */
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
  env: () => ({}),
  files: () => ({}),
};

const auggie: LabAgent = {
  package: '@augmentcode/auggie',
  version: '0.36.0',
  command: ['auggie', '--acp'],
  env: () => ({}),
  files: () => ({}),
};

export const OTHER_AGENTS = {claude, qwen, oldgemini, cline, auggie};
