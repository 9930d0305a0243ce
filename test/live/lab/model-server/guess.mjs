// Fills the parameters of an agent's own tool by their names.
import {fill} from './fill.mjs';
import {STEPS, todo} from './steps.mjs';

/** A value for the parameter `k` with schema `p` for the script's action; undefined if unknown. */
export function guess(k, p, {kind, a, patch, tool}) {
  const arr = p?.type === 'array' || (Array.isArray(p?.type) && p.type.includes('array'));
  if (/^(file_?path|path|absolute_?path|filename|file|target_file|relative_path)$/i.test(k) && a.path)
    return a.path;
  if (/^(file_?paths?|paths|files)$/i.test(k) && a.path && arr) {
    const item = p.items ?? {};
    return item.type === 'object'
      ? [
          Object.fromEntries(
            (item.required ?? ['path']).map((x) => [
              x,
              /path/i.test(x) ? a.path : fill(item.properties?.[x]),
            ]),
          ),
        ]
      : [a.path];
  }
  if (kind === 'shell' && /^(command|cmd|commands|script)$/i.test(k))
    return arr ? (k === 'commands' ? [a.command] : ['bash', '-lc', a.command]) : a.command;
  if (kind === 'shell' && /^(description|reason|explanation)$/i.test(k)) return 'Run a lab command';
  if (
    kind === 'write' &&
    /^(content|contents|text|file_?text|file_content|new_?text|new_string|newString|new_str)$/i.test(k)
  )
    return a.content;
  if (kind === 'write' && /^(old_string|oldString|old_str|old_text)$/i.test(k)) return '';
  if (kind === 'edit' && /^(old_string|oldString|old_str|old_text|oldText|old_str_1)$/i.test(k)) return a.old;
  if (kind === 'edit' && /^(new_string|newString|new_str|new_text|newText|new_str_1)$/i.test(k)) return a.new;
  if (kind === 'edit' && /^(edits|replacements)$/i.test(k) && arr)
    return [
      Object.fromEntries(
        Object.entries(p.items?.properties ?? {})
          .map(([x, y]) => [x, guess(x, y, {kind, a, patch})])
          .filter(([, y]) => y !== undefined),
      ),
    ];
  if (kind === 'edit' && /^(instruction|description)$/i.test(k)) return 'Change one line';
  if (/^(input|patch|patchText|patch_text)$/i.test(k) && (kind === 'edit' || kind === 'write')) return patch;
  if (k === 'command' && Array.isArray(p?.enum))
    return kind === 'write' ? 'create' : kind === 'edit' ? 'str_replace' : 'view';
  if (kind === 'plan') {
    if (/^(todos|plan|items|tasks|todo_?list|steps)$/i.test(k)) {
      if (!arr)
        return STEPS.map(
          (s, i) =>
            `- [${['x', '-', ' '][['completed', 'in_progress', 'pending'].indexOf(todo(i, a.done))]}] ${s}`,
        ).join('\n');
      const ip = p.items?.properties ?? {};
      return STEPS.map((s, i) => {
        const o = {};
        for (const [x, y] of Object.entries(ip)) {
          if (/^(content|step|description|title|text|name|task|subject)$/i.test(x)) o[x] = s;
          else if (/^(status|state)$/i.test(x)) o[x] = todo(i, a.done);
          else if (/^activeForm$/i.test(x)) o[x] = s + ' now';
          else if (/^priority$/i.test(x)) o[x] = 'medium';
          else if (/^id$/i.test(x))
            o[x] = y.type === 'integer' || y.type === 'number' ? i + 1 : String(i + 1);
          else if ((p.items?.required ?? []).includes(x)) o[x] = fill(y);
        }
        return o;
      });
    }
    if (k === 'subject') return STEPS[Math.min(a.done, 2)];
  }
  if (kind === 'ask' && /^(questions)$/i.test(k) && arr) {
    const q = fill(p.items ?? {}, {root: p, kind});
    return [q];
  }
  if (kind === 'exitplan' && /^(plan|response|summary)$/i.test(k))
    return '# The plan\n\n1. Look\n2. Change\n3. Test\n';
  if (kind === 'fetch' && /^(url|urls|prompt)$/i.test(k))
    return arr
      ? ['http://127.0.0.1:9/']
      : k === 'prompt'
        ? 'Read http://127.0.0.1:9/'
        : 'http://127.0.0.1:9/';
  if (k === 'sandbox_permissions' && a.escalate)
    return (p.enum ?? []).find((x) => /escalat/.test(x)) ?? 'require_escalated';
  if (k === 'justification' && a.escalate) return 'May the lab do this?';
  if (
    kind === 'task' &&
    /^(prompt|message|instructions?|task|objective|query)$/i.test(k) &&
    p?.type !== 'array'
  )
    return a.prompt ?? 'Please say hello.';
  if (kind === 'task' && /^(description|title)$/i.test(k)) return 'Lab subagent';
  if (kind === 'task' && /^(subagent_type|agent_name|agent|agent_type)$/i.test(k))
    return (p.enum ?? [])[0] ?? (isClaudes(tool, p) ? 'general-purpose' : 'general');
  return undefined;
}

/** Claude lists its kinds of subagents in its prompt, no longer in the tool. */
function isClaudes(tool, p) {
  return /general-purpose/.test(JSON.stringify(p)) || /^(Agent|Task)$/.test(tool);
}
