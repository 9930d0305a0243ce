// Selects one of the agent's own tools for the script's action.
import {deref, fill} from './fill.mjs';
import {guess} from './guess.mjs';
import {STEPS, todo} from './steps.mjs';

const NAMES = {
  write: [
    /^(write|write_file|writefile|create_file|write_to_file|fs_write|create|save-file|save_file)$/i,
    /^(apply_patch|editor)$/i,
    /^(edit|replace|str_replace.*)$/i,
  ],
  edit: [
    /^(edit|replace|edit_file|str_replace|str_replace_editor|str-replace-editor|replace_in_file|search_replace|editor)$/i,
    /^(apply_patch|multiedit)$/i,
  ],
  read: [/^(read|read_file|readfile|view|fs_read|read_files)$/i, /^(read_many_files)$/i],
  shell: [
    /^(bash|shell|run_shell_command|exec_command|shell_command|run_command|execute_command|run_commands|local_shell|execute|launch-process|terminal|run_terminal_command|run_terminal_cmd)$/i,
  ],
  plan: [
    /^(todowrite|todo_write|write_todos|update_plan|todo|update_todo_list|set_todos|manage_todo_list|add_tasks|taskcreate|todolist|settodolist)$/i,
  ],
  ask: [
    /^(askuserquestion|ask_user_question|ask_user|question|request_user_input|ask_followup_question|ask_question|ask-user)$/i,
  ],
  exitplan: [/^(exitplanmode|exit_plan_mode|plan_exit|switch_to_act_mode)$/i],
  fetch: [/^(webfetch|web_fetch|fetch|fetch_web_content)$/i],
  server: [/tell_time$/i],
  task: [/^(task|agent|spawn_agent|spawn_subagent|subagent|invoke_agent|generalist|use_subagents)$/i],
};
const patchOf = (kind, a) =>
  kind === 'write'
    ? `*** Begin Patch\n*** Add File: ${a.path}\n${(a.content ?? '')
        .trimEnd()
        .split('\n')
        .map((l) => '+' + l)
        .join('\n')}\n*** End Patch\n`
    : `*** Begin Patch\n*** Update File: ${a.path}\n@@\n-${a.old}\n+${a.new}\n*** End Patch\n`;
export function toolFor(kind, a, tools) {
  let tool;
  const exec = tools.find((t) => t.code);
  if (exec && ['write', 'edit', 'read', 'shell', 'plan', 'server'].includes(kind)) {
    const js = (f, x) => ({
      name: 'exec',
      ns: exec.ns,
      custom: true,
      input: `text(await tools.${f}(${JSON.stringify(x)}));\n`,
    });
    const cmd = (command) =>
      js('exec_command', {
        cmd: command,
        ...(a.escalate && {sandbox_permissions: 'require_escalated', justification: 'May the lab do this?'}),
      });
    if (kind === 'plan')
      return js('update_plan', {
        explanation: 'Lab plan',
        plan: STEPS.map((step, i) => ({step, status: todo(i, a.done)})),
      });
    if (kind === 'server') return js('mcp__lab__tell_time', {});
    if (kind === 'read') return cmd(`cat ${a.path}`);
    if (kind === 'shell') return cmd(a.command);
    return js('apply_patch', patchOf(kind, a));
  }
  for (const re of NAMES[kind])
    if ((tool = tools.find((t) => re.test(t.name.replace(/^mcp__acp__/, ''))))) break;
  if (!tool && kind === 'write')
    return toolFor('shell', {escalate: true, command: `printf '%s' '${a.content}' > ${a.path}`}, tools);
  if (!tool && kind === 'edit')
    return toolFor('shell', {escalate: true, command: `sed -i 's/${a.old}/${a.new}/' ${a.path}`}, tools);
  if (!tool && kind === 'read') return toolFor('shell', {command: `cat ${a.path}`}, tools);
  const finder = tools.find((t) => /^(toolsearch|tool_search)$/i.test(t.name));
  if (!tool && finder && (kind === 'server' || (kind === 'plan' && !a.done)))
    return {
      name: finder.name,
      args: Object.fromEntries(
        Object.keys(finder.schema?.properties ?? {})
          .filter((k) => /query|names?/i.test(k))
          .map((k) => [k, 'select:TodoWrite,TaskCreate,todo_write,mcp__lab__tell_time']),
      ),
    };
  if (!tool) return null;
  const patch = patchOf(kind, a);
  if (tool.custom) return {name: tool.name, custom: true, input: patch};
  const props = tool.schema?.properties ?? {},
    args = {};
  for (const [k, raw] of Object.entries(props)) {
    const p = deref(raw, tool.schema),
      need = (tool.schema.required ?? []).includes(k),
      v = guess(k, p, {kind, a, patch, tool: tool.name});
    if (v !== undefined) args[k] = v;
    else if (need) args[k] = fill(p, {root: tool.schema, kind});
  }
  return {name: tool.name, ...(tool.ns && {ns: tool.ns}), args};
}
