import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));
const disabled = z.optional(z.boolean());

/** A server that is a program. What other clients have of their own beside these fields is let through, and counts for nothing. */
export const program = z.looseObject({
  type: z.optional(z.literal('stdio')),
  command: text,
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  disabled,
});

/** A server at an address. Clients do not agree on what `http` is called. */
export const address = z.looseObject({
  type: z.optional(z.enum(['http', 'streamable-http', 'streamableHttp', 'sse'])),
  url: text,
  headers: z.optional(z.record(z.string(), z.string())),
  disabled,
});

/** An MCP server in the JSON form that clients share: `{"command", "args", "env"}` or `{"type", "url", "headers"}`. */
export const mcpServer = z.union([program, address]);
export const MCP_SERVER_ALLOWED =
  'an object with a command (and args, env) or a url (and type "http" or "sse", headers)';

/** MCP servers by their names. */
export const mcpServers = z.record(z.string(), mcpServer);
export const MCP_SERVERS_ALLOWED = 'an object of MCP servers by name';
