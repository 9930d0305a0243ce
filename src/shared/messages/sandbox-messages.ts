import {quoteAgentText} from '../agent-text.ts';
import type {RefusedAtStart, SandboxReason} from '../failure.ts';

interface SandboxMessage {
  readonly why: (detail: string) => string;
  readonly todo?: string;
}

const WITHOUT = 'To start it without one: --no-sandbox, or "sandbox": "off" in your settings.';

/** The detail is what the key names: a platform, a processor, programs, a version, a folder, an agent, or the reason in the words of what was to set it up. */
export const sandboxMessages: Readonly<Record<SandboxReason, SandboxMessage>> = {
  system: {why: (platform) => `Sandboxes are not supported on this platform (${platform}).`, todo: WITHOUT},
  processor: {why: (arch) => `There is no system call filter for this processor (${arch}).`, todo: WITHOUT},
  programs: {
    why: (programs) => `Missing: ${programs}.`,
    todo: 'Install what is missing, for example with: sudo apt install bubblewrap socat (or dnf, pacman, apk).',
  },
  package: {
    why: () => 'The package @anthropic-ai/sandbox-runtime is not installed, or not completely.',
    todo: 'Install acp-tui again without --omit=optional.',
  },
  old_package: {
    why: (version) => `The package @anthropic-ai/sandbox-runtime is too old (${version}).`,
    todo: 'Update acp-tui: npm install -g acp-tui.',
  },
  refused: {
    why: (problem) => `Setting it up failed: ${problem}`,
    todo: 'Linux may forbid user namespaces: see kernel.unprivileged_userns_clone, user.max_user_namespaces and kernel.apparmor_restrict_unprivileged_userns (sysctl).',
  },
  folder: {
    why: (folder) =>
      `A sandbox cannot open ${folder}: it holds, or leads to, what other programs start and keep, or keys.`,
    todo: 'Start in the folder of a project. The setting sandbox.folders may name a folder of keys, but no link to one.',
  },
  remote: {why: () => 'The agent runs on another computer.', todo: WITHOUT},
  unknown_agent: {
    why: (agent) => `acp-tui does not know in which folders ${agent} keeps its settings and sessions.`,
    todo: 'Name them in the setting sandbox.folders, such as ["~/.my-agent"], or [] for none.',
  },
};

/** What its sandbox refused an agent at its start: why, and the setting that allows it. */
export function refusalMessage(refused: RefusedAtStart): {readonly why: string; readonly todo: string} {
  const {why, todo} = refusal(refused);
  return {why, todo: [todo, OFF].filter(Boolean).join(' ')};
}

const OFF = 'Without a sandbox: "sandbox": "off" in the settings of this agent, or --no-sandbox.';
const named = (folder: string) =>
  `Add "${quoteAgentText(folder)}" to sandbox.folders in its settings, which lets it write there`;

function refusal(refused: RefusedAtStart): {readonly why: string; readonly todo: string} {
  switch (refused.reason) {
    case 'hidden':
      return {
        why: `Its sandbox hides ${quoteAgentText(refused.path)}.`,
        todo: `${named(refused.folder)}, or move what it needs elsewhere.`,
      };
    case 'temporary':
      return {
        why: `Its sandbox has a temporary folder of its own, without ${quoteAgentText(refused.path)}.`,
        todo:
          refused.folder === undefined
            ? 'Move what it needs elsewhere.'
            : `${named(refused.folder)}, or move what it needs elsewhere.`,
      };
    case 'write':
      return {
        why: `Its sandbox does not let it write ${quoteAgentText(refused.path)}.`,
        todo: refused.folder === undefined ? '' : `${named(refused.folder)}.`,
      };
    case 'socket':
      return {
        why: 'Its sandbox allows no Unix sockets, abstract ones included.',
        todo: 'Set sandbox.sockets to "all" in its settings, which opens most ways out, too.',
      };
    case 'network':
      return {
        why: `Its sandbox reaches ${refused.host === undefined ? 'the network' : quoteAgentText(refused.host)} only through a proxy, if it is allowed.`,
        todo:
          refused.host === undefined
            ? 'Name the host in sandbox.hosts, and let the agent use HTTPS_PROXY.'
            : `Add "${quoteAgentText(refused.host)}" to sandbox.hosts in its settings.`,
      };
    case 'unknown':
      return {why: 'It ran in a sandbox, which may be the reason.', todo: ''};
  }
}
