/** Variables about the terminal of a program, which one in the background does not have. */
const OF_TERMINAL =
  /^(?:_|PWD|OLDPWD|SHLVL|WINDOWID|COLUMNS|LINES|TTY|GPG_TTY|STY|SSH_TTY|(?:TERM|COLORTERM|TMUX|ITERM|VTE|KITTY|WEZTERM|WT_).*)$/;

/** Returns an environment for a program in the background: the same for all that are started in terminals that differ in nothing else. */
export function withoutTerminal(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OF_TERMINAL.test(name)));
}

/**
 * Returns the environment of an agent: the inherited one and `added`. Variables that npm and acp-tui's launcher set for this process are left out, since an
 * agent that runs npm would apply them to its project; PATH is unchanged.
 */
export function agentEnvironment(
  inherited: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const startedByOurScript = inherited['npm_package_name'] === 'acp-tui';
  const own = Object.entries(inherited).filter(
    ([name]) =>
      name !== 'ACP_TUI_REEXECUTED' &&
      !(
        startedByOurScript &&
        /^(npm_(lifecycle|package)_|npm_command$|npm_config_local_prefix$|INIT_CWD$)/.test(name)
      ),
  );
  return {...Object.fromEntries(own), ...added};
}
