import * as z from 'zod/mini';

const disabled = () => z.optional(z.boolean());
const text = () => z.string().check(z.minLength(1));
// Schemas are created when they are first used: creating one takes about 20 µs, and most starts use few.

/** A server program. Additional fields of other clients are allowed and ignored. */
export const program = z.lazy(() =>
  z.looseObject({
    type: z.optional(z.literal('stdio')),
    command: text(),
    args: z.optional(z.array(z.string())),
    env: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
    disabled: disabled(),
  }),
);

/** A server with a URL. Clients disagree on the name of `http`. */
export const address = z.lazy(() =>
  z.looseObject({
    type: z.optional(z.enum(['http', 'streamable-http', 'streamableHttp', 'sse'])),
    url: text(),
    headers: z.optional(z.record(z.string(), z.string())),
    disabled: disabled(),
  }),
);

/** An MCP server in the JSON form that clients share: `{"command", "args", "env"}` or `{"type", "url", "headers"}`. */
export const mcpServer = z.union([program, address]);
export const MCP_SERVER_ALLOWED =
  'an object with a command (and args, env) or a url (and type "http" or "sse", headers)';

/** MCP servers by name. */
export const mcpServers = z.record(z.string(), mcpServer);
export const MCP_SERVERS_ALLOWED = 'an object of MCP servers by name';
