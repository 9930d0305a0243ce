import {basename} from 'node:path';

/** How a shell is told to run one command and to leave behind what the next one needs. */
export interface Dialect {
  /** Run with `-c`; its arguments, behind the name of the shell, are the command, the start of the paths to save to, and the file to restore from. */
  readonly script: string;
}

/** Where a command leaves what the next one needs, behind the path that it is given. */
export const SAVED = {cwd: '.cwd', env: '.env', definitions: '.definitions'} as const;

/*
 * Folder and variables are saved when the shell exits, however it does: `exit` is a command like any other. Nothing of this may
 * change the command's exit status, print anything, or run before the command is parsed (aliases).
 */
const SAVE_PLACE = `pwd >"$__acp_tui_save${SAVED.cwd}"; /usr/bin/env -0 >"$__acp_tui_save${SAVED.env}"`;

const TAKE_ARGUMENTS = '__acp_tui_command=$1; __acp_tui_save=$2; __acp_tui_restore=$3; set --';

function withDefinitions({before, list}: {readonly before: string; readonly list: string}): string {
  return [
    before,
    TAKE_ARGUMENTS,
    'if [ -r "$__acp_tui_restore" ]; then . "$__acp_tui_restore"; fi 2>/dev/null',
    `trap '{ ${SAVE_PLACE}; { ${list}; } >"$__acp_tui_save${SAVED.definitions}"; } 2>/dev/null' EXIT`,
    'eval "$__acp_tui_command"',
  ].join('\n');
}

const posix: Dialect = {
  script: [TAKE_ARGUMENTS, `trap '{ ${SAVE_PLACE}; } 2>/dev/null' EXIT`, 'eval "$__acp_tui_command"'].join(
    '\n',
  ),
};

const fish: Dialect = {
  script: [
    // The first argument is what others call $0.
    'set -g __acp_tui_save $argv[3]',
    'function __acp_tui_exit --on-event fish_exit',
    `pwd >"$__acp_tui_save${SAVED.cwd}" 2>/dev/null; /usr/bin/env -0 >"$__acp_tui_save${SAVED.env}" 2>/dev/null`,
    'end',
    'eval $argv[2]',
  ].join('\n'),
};

const dialects: Readonly<Record<string, Dialect>> = {
  bash: {script: withDefinitions({before: 'shopt -s expand_aliases', list: 'alias -p; declare -f'})},
  zsh: {script: withDefinitions({before: ':', list: 'alias -L; functions'})},
  sh: posix,
  dash: posix,
  ash: posix,
  ksh: posix,
  fish,
};

/** The user's shell where it is one that we know how to ask, otherwise `/bin/sh`. */
export function shellOf(env: NodeJS.ProcessEnv): {readonly path: string; readonly dialect: Dialect} {
  const path = env['SHELL'] ?? '';
  const dialect = path.startsWith('/') ? dialects[basename(path)] : undefined;
  return dialect ? {path, dialect} : {path: '/bin/sh', dialect: posix};
}
