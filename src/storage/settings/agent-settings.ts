import * as z from 'zod/mini';
import {APPROVAL_LEVELS} from '../../session/actions.ts';
import type {PermissionRule} from '../../session/requests/permission-rules.ts';
import {MCP_SERVER_ALLOWED, mcpServer, mcpServers, MCP_SERVERS_ALLOWED} from '../../mcp/schema.ts';
import {readRules, RULE_LISTS_ALLOWED, ruleLists} from './rule-settings.ts';
import {validEntries, invalidSetting} from './setting-problems.ts';
import {isFields} from '../../text/json.ts';

const text = z.string().check(z.minLength(1));

/** The syntax of agent names in settings and `--agent`: one word that is not a path. */
export const AGENT_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Each setting of an agent, with its schema and description. */
export const agentFields = {
  /** Undefined for an agent that is known without it, such as one on PATH. */
  command: {
    description: 'how the agent is started',
    schema: z.union([text, z.strictObject({command: text, args: z.optional(z.array(z.string()))})]),
    allowed: 'a command line, or an object with command and args',
  },
  /** URL of a remote agent, see docs/remote.md; `${NAME}` in `token` and `headers` is expanded. */
  url: {
    description: 'where it runs, if elsewhere',
    schema: text,
    allowed: 'a wss://, https://, ws:// or http:// URL',
  },
  token: {
    description: 'sent as Authorization: Bearer',
    schema: text,
    allowed: 'a token, or ${NAME} for that of a variable',
  },
  headers: {
    description: 'sent with every request',
    schema: z.record(text, z.string()),
    allowed: 'an object of HTTP headers and their values',
  },
  allowUnencrypted: {
    description: 'connect without encryption, also to other computers',
    schema: z.boolean(),
    allowed: 'true or false',
  },
  cwd: {
    description: 'its working folder, if it runs elsewhere',
    schema: z.string().check(z.startsWith('/')),
    allowed: "the absolute path of a folder on the agent's computer",
  },
  /** Whether the agent may use files and run commands here; by default only local agents. */
  files: {description: 'whether it may use files here', schema: z.boolean(), allowed: 'true or false'},
  terminals: {description: 'whether it may run commands here', schema: z.boolean(), allowed: 'true or false'},
  /** Whether it gets MCP servers over its connection if it can; by default only an agent that runs here. */
  mcpOverAcp: {
    description: 'whether it may use MCP servers that run here over its connection',
    schema: z.boolean(),
    allowed: 'true or false',
  },
  env: {
    description: 'environment variables of the agent',
    schema: z.record(z.string().check(z.regex(/^[^=\0]+$/)), z.string()),
    allowed: 'an object of environment variables and their values',
  },
  systemPrompt: {
    description: "instructions that replace the agent's own",
    schema: text,
    allowed: "instructions instead of the agent's own",
  },
  appendSystemPrompt: {
    description: "instructions added to the agent's own",
    schema: text,
    allowed: "instructions besides the agent's own",
  },
  mode: {description: 'mode that its sessions start in', schema: text, allowed: 'the id of a mode'},
  model: {description: 'model that its sessions start with', schema: text, allowed: 'the id of a model'},
  options: {
    description: 'its session options',
    schema: z.record(text, z.union([z.string(), z.boolean()])),
    allowed: "an object of the session's options and their values",
  },
  /** Whether its sessions share a process. */
  process: {
    description: 'whether its sessions share one process',
    schema: z.enum(['shared', 'own']),
    allowed: 'shared or own',
  },
  approve: {
    description: 'what is auto-approved for this agent',
    schema: z.enum(APPROVAL_LEVELS),
    allowed: 'none, reads, edits or all',
  },
  /** Rules for this agent only. */
  permissions: {
    description: 'permission rules for this agent',
    schema: ruleLists,
    allowed: RULE_LISTS_ALLOWED,
  },
  mcpServers: {
    description: 'MCP servers for this agent',
    schema: mcpServers,
    allowed: MCP_SERVERS_ALLOWED,
    entry: {schema: mcpServer, allowed: MCP_SERVER_ALLOWED},
  },
} as const;

type AgentField = keyof typeof agentFields;
export type AgentSettings = {
  readonly [Name in AgentField]?: z.infer<(typeof agentFields)[Name]['schema']>;
};
export type AgentsSettings = Readonly<Record<string, AgentSettings>>;

/** The valid agents of a settings file and their rules, and a sentence for each problem. */
interface ReadAgents {
  readonly agents: AgentsSettings;
  readonly rules: readonly PermissionRule[];
  readonly problems: readonly string[];
}

/** Reads each agent, and each of its settings, separately: an error in one does not affect the others. */
export function readAgents(value: object, file: string): ReadAgents {
  const problems: string[] = [];
  const agents = Object.entries(value).flatMap(([name, settings]: [string, unknown]) => {
    const where = `"agents.${name}" in ${file}`;
    if (!AGENT_NAME.test(name))
      problems.push(`${where} is not a valid agent name (letters, digits, ".", "_" and "-"); it is ignored.`);
    else if (!isFields(settings)) problems.push(`${where} must be an object of settings; it is ignored.`);
    else return [[name, readAgent(name, settings, {file, problems})] as const];
    return [];
  });
  const rules = agents.flatMap(([name, {permissions}]) => {
    if (!permissions) return [];
    const read = readRules(permissions, {agent: name}, file);
    problems.push(...read.problems);
    return read.rules;
  });
  return {agents: Object.fromEntries(agents), rules, problems};
}

interface Place {
  readonly file: string;
  readonly problems: string[];
}

function readAgent(agent: string, content: object, {file, problems}: Place): AgentSettings {
  const settings: {-readonly [Name in AgentField]?: unknown} = {};
  for (const [name, whole] of Object.entries(content)) {
    const path = `agents.${agent}.${name}`;
    const where = `"${path}" in ${file}`;
    if (!isAgentField(name)) {
      problems.push(`${where} is not an agent setting; it is ignored.`);
      continue;
    }
    const value = validEntries(agentFields[name], whole, {path, file, problems});
    if (name === 'command' && agent === 'demo')
      problems.push(`${where} cannot be set: demo is the built-in agent.`);
    else if (agentFields[name].schema.safeParse(value).success) settings[name] = value;
    else {
      problems.push(invalidSetting(where, agentFields[name].allowed, value));
      // With an invalid command the name must not resolve to another program: this agent cannot be started.
      if (name === 'command') settings.command = '';
    }
  }
  return settings as AgentSettings;
}

function isAgentField(name: string): name is AgentField {
  return Object.hasOwn(agentFields, name);
}
