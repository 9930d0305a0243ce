/**
 * The environment of an agent: ours and `added`. What npm and our own launcher put there to start this program is left
 * out, since an agent that runs npm would take it for its project's; PATH stays as it is.
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
