import * as z from 'zod/mini';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

/** Other names of fields, each of another client. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['transport', 'type'],
  ['transportType', 'type'],
  ['httpUrl', 'url'],
  ['serverUrl', 'url'],
  ['uri', 'url'],
  ['cmd', 'command'],
  ['environment', 'env'],
  ['envs', 'env'],
  ['http_headers', 'headers'],
]);

/** Other names of transports, without case, `-` and `_`. */
const TRANSPORTS: ReadonlyMap<unknown, string> = new Map([
  ['local', 'stdio'],
  ['remote', 'http'],
  ['streamablehttp', 'http'],
]);

/** Returns a server in the fields that are read here. Of two spellings of a field, the usual one counts. */
function inUsualSpelling(given: unknown): unknown {
  if (!isJsonObject(given)) return given;
  const respelled = Object.entries(given).map(([name, value]) => [SPELLINGS.get(name) ?? name, value]);
  const {type, command, args, enabled, ...server}: JsonObject = {...Object.fromEntries(respelled), ...given};
  const transport = typeof type === 'string' ? type.toLowerCase().replaceAll(/[-_]/g, '') : type;
  const [program, ...words] = Array.isArray(command) ? (command as unknown[]) : [command];
  return {
    ...server,
    ...(type !== undefined && {type: TRANSPORTS.get(transport) ?? transport}),
    ...(command !== undefined && {command: program}),
    ...(args !== undefined && {args}),
    ...(words.length > 0 && {args: [...words, ...(Array.isArray(args) ? (args as unknown[]) : [])]}),
    ...(enabled === false && {disabled: true}),
  };
}

const disabled = () => z.optional(z.boolean());
const text = () => z.string().check(z.minLength(1));
const respelled = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.pipe(z.transform(inUsualSpelling), z.looseObject(shape));
// Schemas are created when they are first used: creating one takes about 20 µs, and most starts use few.

/** A server program. Additional fields of other clients are allowed and ignored. */
export const program = z.lazy(() =>
  respelled({
    type: z.optional(z.literal('stdio')),
    command: text(),
    args: z.optional(z.array(z.string())),
    env: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
    disabled: disabled(),
  }),
);

/** A server with a URL. */
export const address = z.lazy(() =>
  respelled({
    type: z.optional(z.enum(['http', 'sse'])),
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
