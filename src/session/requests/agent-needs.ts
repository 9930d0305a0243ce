/** What an agent needs of this computer, wherever else a sandbox confines it. */
interface AgentNeeds {
  /** Its own settings, credentials and sessions below the home folder; with a trailing `/` a folder. Created if missing. */
  readonly state: readonly string[];
  /** Its services: hosts, or `*.` and a domain. */
  readonly hosts: readonly string[];
  /** What the names of its own environment variables begin with. */
  readonly variables: readonly string[];
}

function needs(state: string, hosts: string, variables: string): AgentNeeds {
  const words = (text: string) => text.split(' ').filter(Boolean);
  return {state: words(state), hosts: words(hosts), variables: words(variables)};
}

const OPENAI = 'api.openai.com auth.openai.com chatgpt.com *.chatgpt.com';
const GOOGLE =
  'generativelanguage.googleapis.com cloudcode-pa.googleapis.com aiplatform.googleapis.com oauth2.googleapis.com www.googleapis.com play.googleapis.com';

/** By a word in its name or command, the first that fits. `.config/`, `.local/share/` and the like are the XDG folders. */
const NEEDS: readonly (readonly [word: string, AgentNeeds])[] = [
  [
    'claude',
    needs(
      '.claude/ .claude.json .cache/claude-cli-nodejs/',
      '*.anthropic.com claude.ai *.claude.ai *.claude.com',
      'ANTHROPIC_ CLAUDE_',
    ),
  ],
  ['codex', needs('.codex/', OPENAI, 'OPENAI_ CODEX_')],
  ['gemini', needs('.gemini/', GOOGLE, 'GEMINI_ GOOGLE_')],
  [
    'opencode',
    needs(
      '.config/opencode/ .local/share/opencode/ .local/state/opencode/ .cache/opencode/ .opencode/',
      'opencode.ai *.opencode.ai models.dev',
      'OPENCODE_',
    ),
  ],
  [
    'kilo',
    needs(
      '.config/kilo/ .local/share/kilo/ .local/state/kilo/ .local/state/kilo-sandbox-policy/ .cache/kilo/ .kilocode/',
      '*.kilo.ai kilocode.ai *.kilocode.ai',
      'KILO_',
    ),
  ],
  [
    'copilot',
    needs(
      '.copilot/ .cache/copilot/ .config/github-copilot/',
      'github.com api.github.com *.githubcopilot.com copilot-proxy.githubusercontent.com',
      'COPILOT_ GH_TOKEN GITHUB_TOKEN',
    ),
  ],
  // Anyone can rent a host below aliyuncs.com.
  [
    'qwen',
    needs(
      '.qwen/',
      'chat.qwen.ai portal.qwen.ai dashscope.aliyuncs.com *.dashscope.aliyuncs.com dashscope-intl.aliyuncs.com dashscope-us.aliyuncs.com token-plan.cn-beijing.maas.aliyuncs.com gb4w8c3ygj-default-sea.rum.aliyuncs.com',
      'QWEN_ OPENAI_ DASHSCOPE_',
    ),
  ],
  [
    'kimi',
    needs(
      '.kimi/ .kimi-code/ .local/share/kimi/',
      '*.moonshot.ai *.moonshot.cn *.kimi.com',
      'KIMI_ MOONSHOT_',
    ),
  ],
  ['grok', needs('.grok/', '*.x.ai', 'GROK_ XAI_')],
  ['cline', needs('.cline/', 'api.cline.bot *.cline.bot', 'CLINE_')],
  ['goose', needs('.config/goose/ .local/share/goose/ .local/state/goose/', '', 'GOOSE_')],
  ['cursor', needs('.cursor/ .config/cursor/', '*.cursor.sh *.cursor.com', 'CURSOR_')],
  ['auggie', needs('.augment/', '*.augmentcode.com', 'AUGMENT_')],
  ['vibe', needs('.vibe/', 'api.mistral.ai *.mistral.ai', 'MISTRAL_ VIBE_')],
  ['droid', needs('.factory/', '*.factory.ai', 'FACTORY_')],
  ['junie', needs('.junie/ .cache/junie/', '*.jetbrains.com *.jetbrains.ai', 'JUNIE_')],
  ['qoder', needs('.qoder/', '*.qoder.com *.qoder.sh', 'QODER_')],
  ['stakpak', needs('.stakpak/', '*.stakpak.dev', 'STAKPAK_')],
  ['amp', needs('.config/amp/ .local/share/amp/ .cache/amp/', 'ampcode.com *.ampcode.com', 'AMP_')],
  ['pi', needs('.pi/', '', 'PI_')],
  ['demo', needs('', '', '')],
];

/** Returns what an agent needs by its name and command; undefined if it is unknown. */
export function needsOf(words: readonly string[]): AgentNeeds | undefined {
  const named = words.flatMap((word) => word.toLowerCase().split(/[^a-z0-9]+/));
  return NEEDS.find(
    ([word]) => named.includes(word) || (word.length > 4 && named.some((each) => each.includes(word))),
  )?.[1];
}

/** The state of every known agent. */
export const AGENT_STATE: readonly string[] = [...new Set(NEEDS.flatMap(([, {state}]) => state))];
