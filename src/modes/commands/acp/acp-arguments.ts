import {commonOptions, LOG_OPTIONS, RUN_OPTIONS, runSchema} from '../../../cli/options.ts';
import {flag} from '../../../cli/option-table.ts';
import {singleCommand, subcommand} from '../../../cli/subcommand.ts';

const {
  continue: _c,
  resume: _r,
  fork: _f,
  background: _b,
  wait: _w,
  record: _o,
  mask: _m,
  cwd: _d,
  waitForLimits: _a,
  ...others
} = RUN_OPTIONS;
const {inline: _i, fullscreen: _l, screenReader: _s, theme: _t, color: _n, ...ofSessions} = others;

/** Those of a chat that apply to every session. */
const options = {
  ...ofSessions,
  background: flag('--no-background', 'run the sessions in this process: they end with the editor'),
  ...LOG_OPTIONS,
};

const command = singleCommand('acp-tui acp', {
  ...subcommand(
    '',
    'Be an ACP agent for an editor, on standard input and output, with any agent behind it. Sessions run in the background: a window can show them (acp-tui attach), and they go on without the editor.',
    options,
    (_, {background: inBackground, ...given}) => ({
      inBackground,
      ...commonOptions({...runSchema.parse({}), ...given}),
    }),
  ),
  after: `
Example, in the settings of an editor:
  {"agent_servers": {"acp-tui": {"command": "acp-tui", "args": ["acp"]}}}

acp-tui help editors has the settings of Zed, JetBrains, Emacs and Neovim.`,
});

/** The parsed `acp-tui acp`: the options of its sessions, and whether they run in the service. */
export type AcpOptions = Parameters<Parameters<typeof command.program>[0]>[0];
export const {program: acpProgram, read: readAcpCommand} = command;
