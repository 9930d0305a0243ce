import * as z from 'zod/mini';
import {APPROVAL_LEVELS} from '../../session/settings/approval.ts';
import {PROTOCOLS} from '../../session/settings/protocol.ts';
import type {PermissionRule} from '../../session/requests/permission-rules.ts';
import {MCP_SERVER_ALLOWED, mcpServer, mcpServers, MCP_SERVERS_ALLOWED} from './server-settings.ts';
import {readRules, RULE_LISTS_ALLOWED, ruleLists} from './rule-settings.ts';
import {sandboxSettings} from './sandbox-settings.ts';
import {
  didYouMean,
  flag,
  mustBe,
  oneOf,
  text,
  similar,
  switchWord,
  validEntries,
  words,
  type SettingField,
} from './setting-fields.ts';
import type {ReportProblem, SettingsOwner} from '../setting-problems.ts';
import {isJsonObject} from '../../text/json.ts';

/** The syntax of agent names in settings and `--agent`: one word that is not a path. */
export const AGENT_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

const optionValue = z.union([z.string(), z.boolean()]);

interface AgentSpec extends SettingField {
  readonly description: string;
  /** True if no folder may set it: what is auto-approved, and where a remote agent sends prompts and token. Servers have a file of their own. */
  readonly ofUser?: true;
  /** True if it limits what the agent may do: without its value, no agent may start. */
  readonly protects?: true;
}

/** Each setting of an agent, with its schema and description. */
export const agentFields = {
  /** Undefined for an agent that is known without it, such as one on PATH. */
  command: {
    description: 'how the agent is started',
    schema: z.union([words, z.strictObject({command: words, args: z.optional(z.array(z.string()))})]),
    allowed: 'a command line, or an object with command and args',
  },
  /** URL of a remote agent, see docs/agents.md; `${NAME}` in `token` and `headers` is expanded. */
  url: {
    ...text('a wss://, https://, ws:// or http:// URL'),
    description: 'where it runs, if elsewhere',
    ofUser: true,
  },
  token: {
    ...text('a token, or ${NAME} for that of a variable'),
    description: 'sent as Authorization: Bearer',
    ofUser: true,
  },
  headers: {
    description: 'sent with every request',
    schema: z.record(words, z.string()),
    allowed: 'an object of HTTP headers and their values',
    ofUser: true,
  },
  allowUnencrypted: {
    ...flag,
    description: 'connect without encryption, also to other computers',
    ofUser: true,
  },
  cwd: {
    description: 'its working folder, if it runs elsewhere',
    schema: z.string().check(z.startsWith('/')),
    allowed: "the absolute path of a folder on the agent's computer",
    ofUser: true,
  },
  /** Whether the agent may use files and run commands here; by default only local agents. */
  files: {...flag, description: 'whether it may use files here', ofUser: true, protects: true},
  terminals: {...flag, description: 'whether it may run commands here', ofUser: true, protects: true},
  /** Whether it gets MCP servers over its connection if it can; by default only an agent that runs here. */
  mcpOverAcp: {
    ...flag,
    description: 'whether it may use MCP servers that run here over its connection',
    ofUser: true,
    protects: true,
  },
  env: {
    description: 'environment variables of the agent',
    schema: z.record(z.string().check(z.regex(/^[^=\0]+$/)), z.string()),
    allowed: 'an object of environment variables and their values',
  },
  /** Where its requests to models go; with another one, none of its sessions is opened. */
  provider: {
    description: 'LLM provider that it uses',
    schema: z.strictObject({
      id: words,
      apiType: words,
      baseUrl: words,
      headers: z.optional(z.record(words, z.string())),
    }),
    allowed: 'an object with id, apiType and baseUrl, and perhaps headers',
    ofUser: true,
    protects: true,
  },
  systemPrompt: {
    ...text("instructions instead of the agent's own"),
    description: "instructions that replace the agent's own",
  },
  appendSystemPrompt: {
    ...text("instructions besides the agent's own"),
    description: "instructions added to the agent's own",
  },
  /** In some modes agents ask, or change nothing. */
  mode: {...text('the id of a mode'), description: 'mode that its sessions start in', protects: true},
  model: {...text('the id of a model'), description: 'model that its sessions start with'},
  /** Of many agents the mode is one of them. */
  options: {
    description: 'its session options',
    schema: z.record(words, optionValue),
    allowed: "an object of the session's options and their values",
    entry: {schema: optionValue, allowed: 'text, true or false'},
    protects: true,
  },
  /** Whether its sessions share a process. */
  process: {...oneOf(['shared', 'own']), description: 'whether its sessions share one process'},
  protocol: {...oneOf(PROTOCOLS), description: 'version of the protocol that it is offered'},
  approve: {
    ...oneOf(APPROVAL_LEVELS),
    description: 'what is auto-approved for this agent',
    ofUser: true,
    protects: true,
  },
  /** The same settings for this agent. */
  sandbox: {...sandboxSettings, description: 'its sandbox', ofUser: true, protects: true},
  /** Rules for this agent only. */
  permissions: {
    description: 'permission rules for this agent',
    schema: ruleLists,
    allowed: RULE_LISTS_ALLOWED,
    protects: true,
  },
  mcpServers: {
    description: 'MCP servers for this agent',
    schema: mcpServers,
    allowed: MCP_SERVERS_ALLOWED,
    entry: {schema: mcpServer, allowed: MCP_SERVER_ALLOWED},
    ofUser: true,
  },
} as const satisfies Readonly<Record<string, AgentSpec>>;

type AgentField = keyof typeof agentFields;
export type AgentSettings = {
  readonly [Name in AgentField]?: z.infer<(typeof agentFields)[Name]['schema']>;
};
export type AgentsSettings = Readonly<Record<string, AgentSettings>>;

/** Reads each agent, and each of its settings, separately: an error in one does not affect the others. */
export function readAgents(
  value: object,
  of: SettingsOwner,
  report: ReportProblem,
): {readonly agents: AgentsSettings; readonly rules: readonly PermissionRule[]} {
  const agents = Object.entries(value).flatMap(([name, settings]: [string, unknown]) => {
    if (!AGENT_NAME.test(name))
      report(['agents', name], 'is not a valid agent name (letters, digits, ".", "_" and "-")');
    else if (!isJsonObject(settings)) report(['agents', name], 'must be an object of settings');
    else return [[name, readAgent(name, settings, of, report)] as const];
    return [];
  });
  const source = of === 'user' ? 'agent' : of;
  const rules = agents.flatMap(([agent, {permissions = {}}]) =>
    readRules(permissions, {source, agent}, report),
  );
  return {agents: Object.fromEntries(agents), rules};
}

function readAgent(agent: string, content: object, of: SettingsOwner, report: ReportProblem): AgentSettings {
  const settings: {-readonly [Name in AgentField]?: unknown} = {};
  for (const [name, whole] of Object.entries(content)) {
    const path = ['agents', agent, name];
    const field: AgentSpec | undefined = isAgentField(name) ? agentFields[name] : undefined;
    if (!isAgentField(name) || !field) {
      const meant = similar(name, Object.keys(agentFields));
      report(path, 'is not an agent setting', didYouMean(['agents', agent], meant));
    } else if (of === 'project' && field.ofUser) report(path, 'is not a folder setting');
    else if (name === 'command' && agent === 'demo')
      report(path, 'cannot be set: demo is the built-in agent');
    else {
      const value = switchWord(field.schema, validEntries(field, whole, {path, of}, report));
      if (field.schema.safeParse(value).success) settings[name] = value;
      else {
        report(path, mustBe(field.allowed, value));
        // With an invalid command the name must not resolve to another program: this agent cannot be started.
        if (name === 'command') settings.command = '';
      }
    }
  }
  return settings as AgentSettings;
}

export function isAgentField(name: string): name is AgentField {
  return Object.hasOwn(agentFields, name);
}
