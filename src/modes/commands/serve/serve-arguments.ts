import * as z from 'zod/mini';
import {flag, option, pairs, text, type OptionValues} from '../../../cli/option-table.ts';
import {isLoopback} from '../../../download/url.ts';
import {singleCommand, subcommand} from '../../../cli/subcommand.ts';

const LISTEN = '127.0.0.1:0';
/** `host:port`, with an IPv6 address in brackets. */
const ADDRESS = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/;

const address = z.string().check(
  z.refine((text) => ADDRESS.test(text) && URL.canParse(`http://${text}`), {
    error: '--listen expects an address and a port, such as 127.0.0.1:8080.',
  }),
);

const options = {
  agent: text('-a, --agent <agent>', 'command line or name (default: the setting)'),
  listen: option(
    '--listen <address:port>',
    `where to listen; port 0 selects a free one (default: ${LISTEN})`,
    z.prefault(address, LISTEN),
  ),
  allowUnencrypted: flag('--allow-unencrypted', 'listen on an address that other computers can reach'),
  tokenFile: text('--token-file <file>', 'write the token to this new file instead of printing it'),
  cwd: text('-C, --cwd <dir>', "the agent's working folder"),
  env: pairs('--env <NAME=value>', 'environment variable for the agent'),
};

const consistent = z.custom<OptionValues<typeof options>>().check(
  z.refine(({listen, allowUnencrypted}) => allowUnencrypted || !reachesOthers(listen), {
    error: ({input}) => {
      const {listen} = input as OptionValues<typeof options>;
      return `Connections to ${listen} would not be encrypted. Listen on 127.0.0.1 and put a server with TLS in front or use a tunnel, or add --allow-unencrypted.`;
    },
  }),
);

function reachesOthers(listen: string): boolean {
  const url = URL.parse(`http://${listen}`);
  return url !== null && !isLoopback(url);
}

const serve = singleCommand('acp-tui serve', {
  ...subcommand(
    '',
    'Serve an agent to other computers, over WebSocket and HTTP. Each connection starts its own agent process. Clients need the token, which is printed once, or read from ACP_TUI_SERVE_TOKEN.',
    options,
    (_, given) => {
      const {agent, cwd, env, listen, tokenFile} = consistent.parse(given);
      const [, bracketed, plain = '', port] = ADDRESS.exec(listen) ?? [];
      const host = bracketed ?? plain;
      return {agent, cwd, env: Object.fromEntries(env), host, port: Number(port), tokenFile};
    },
  ),
  after: `
Examples:
  acp-tui serve --agent "some-agent --acp" --listen 127.0.0.1:8080
  ACP_TUI_AGENT_TOKEN=… acp-tui --agent ws://127.0.0.1:8080/acp

Connections are not encrypted. For other computers, put a server that speaks
TLS in front, or use an ssh tunnel. An address that other computers can reach
requires --allow-unencrypted.`,
});

/** The parsed `acp-tui serve`. Paths are as typed. Without an agent, that of the settings is served; port 0 is any free port. */
export type ServeAgentOptions = Parameters<Parameters<typeof serve.program>[0]>[0];
export const {program: serveProgram, read: readServeCommand} = serve;
