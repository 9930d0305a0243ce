/**
 * Returns the environment of an agent: the inherited one and `added`. Variables that npm and acp-tui's launcher set for this process are left out, since an
 * agent that runs npm would apply them to its project; PATH is unchanged.
 */
export function agentEnvironment(
  inherited: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>>,
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
