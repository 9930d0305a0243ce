import type * as acp from '@agentclientprotocol/sdk/unstable';
import {TOOL_KINDS} from '../transcript/tool-kinds.ts';
import type {PermissionDecision} from '../entries.ts';
import type {HookEvent} from '../settings/hooks.ts';

/** The effects of rules, the strongest first. */
export const RULE_EFFECTS = ['deny', 'ask', 'allow'] as const;
export type RuleEffect = (typeof RULE_EFFECTS)[number];

/** The source of a rule: the user's settings, their section for one agent, the command line, a trusted folder, or what the session's sandbox hides. */
export type RuleSource = 'user' | 'agent' | 'option' | 'project' | 'sandbox';

/** A rule about what agents may do; documented in docs/permissions.md. */
export interface PermissionRule {
  readonly effect: RuleEffect;
  readonly source: RuleSource;
  /** As written in the settings. */
  readonly text: string;
  readonly about: RuleAbout;
}

/** The conditions of a rule: all of them must match. */
interface RuleAbout {
  /** `network` is a connection out of the sandbox. */
  readonly kind: acp.ToolKind | 'network' | 'any';
  /** For commands if the kind is `execute`, for hosts if it is `network`, otherwise for paths. */
  readonly pattern: string | undefined;
  /** Patterns. */
  readonly agent: string | undefined;
  readonly tool: string | undefined;
}

const RULE_KINDS = [...Object.keys(TOOL_KINDS), 'network', 'any'];

/** The syntax of a rule, for messages. */
export const RULE_FORM =
  'a rule such as "execute npm test*", "edit src/**" or "agent=demo tool=fetch* any": ' +
  `a kind (${RULE_KINDS.join(', ')}), then a pattern for commands, paths or hosts`;

/** Parses `[agent=<pattern>] [tool=<pattern>] <kind> [<pattern>]`; undefined if it is invalid. */
export function parseRule(text: string): RuleAbout | undefined {
  const [, names = '', kind = '', pattern] =
    /^\s*((?:(?:agent|tool)=\S+\s+)*)([a-z_]+)(?:\s+(\S.*?))?\s*$/.exec(text) ?? [];
  if (!isRuleKind(kind)) return undefined;
  const {agent, tool, ...twice} = namesIn(names);
  if (Object.keys(twice).length > 0) return undefined;
  // A `*` alone is the same as no pattern.
  return {kind, pattern: pattern === '*' ? undefined : pattern, agent, tool};
}

/** Returns a rule of the settings; undefined if its text is invalid. */
export function ruleOf(effect: RuleEffect, text: string, source: RuleSource): PermissionRule | undefined {
  const about = parseRule(text);
  return about && {effect, source, text: text.trim(), about};
}

/** Returns a pattern that matches only this text. */
export function literalPattern(text: string): string {
  return text.replace(/[\\*?]/g, String.raw`\$&`);
}

function isRuleKind(kind: string): kind is RuleAbout['kind'] {
  return RULE_KINDS.includes(kind);
}

/** Returns the named patterns; a repeated name becomes an unknown key. */
function namesIn(words: string): {agent?: string; tool?: string; again?: string} {
  const names: {agent?: string; tool?: string; again?: string} = {};
  for (const [, name, value] of words.matchAll(/(agent|tool)=(\S+)/g)) {
    const key = name as 'agent' | 'tool';
    names[names[key] === undefined ? key : 'again'] = value as string;
  }
  return names;
}

/** What a hook did, in the log of decisions; what it decided is a decision of its own. None of the texts that it got or gave is in it. */
export interface HookRecord {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly sessionId: acp.SessionId;
  /** `hook/Stop`, by its event. */
  readonly method: `hook/${HookEvent}`;
  /** `added`: the agent got a text of it. */
  readonly outcome: 'ran' | 'failed' | 'stopped' | 'added';
  /** The hook: `hook: ./check.sh (user)`. */
  readonly by: string;
  /** What it said about a request or a prompt, whether or not that decided. */
  readonly said?: RuleEffect;
  /** The size of what the agent got. */
  readonly characters?: number;
  /** Why it failed or was stopped. */
  readonly why?: string;
}

/** A line of the log of decisions. */
export type LogRecord = DecisionRecord | HookRecord;

/** True for what a hook did. */
export function isHookRecord(record: LogRecord): record is HookRecord {
  return record.method.startsWith('hook/');
}

/** Returns the decisions about requests. */
export function decisionsIn(records: readonly LogRecord[]): readonly DecisionRecord[] {
  return records.filter((record): record is DecisionRecord => !isHookRecord(record));
}

/** A decision about an agent's request: who made it, about what, and why. Its texts are the agent's own. */
export interface DecisionRecord {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly sessionId: acp.SessionId;
  /** The name of the subagent that made the request, if any. */
  readonly subagent?: string;
  /** `session/request_permission`, `session/prompt` for one that a hook blocked, `fs/read_text_file`, `fs/write_text_file` or `terminal/create`; `trust` for the settings of a folder, `network` for a connection out of the sandbox. */
  readonly method: string;
  /** In one line: a tool call's title, a path, a command line. */
  readonly title: string;
  readonly kind: acp.ToolKind;
  readonly outcome: PermissionDecision['outcome'];
  /** The name of the selected option, if any. */
  readonly option?: string;
  /** `user`, `agent`, `an earlier answer`, `your answer "Always"` for the session, `--approve edits`, or the rules. */
  readonly by: string;
  /** The key that the user answered with. */
  readonly key?: string;
  /** Why the user was asked: a level or a rule. */
  readonly askedBy?: string;
  /** The files that it named. */
  readonly paths?: readonly string[];
  readonly command?: string;
  /** Why it is uncertain what the command does. */
  readonly unresolved?: string;
}
