// Reads the four request formats into one: users, system, tools, schema.
const textOf = (c) =>
  typeof c === 'string' ? c : Array.isArray(c) ? c.map((p) => p?.text ?? '').join('\n') : '';
function reader() {
  const users = [];
  return {
    users,
    user: (text) => {
      if (text.trim()) users.push({text, toolsAfter: 0});
    },
    round: () => {
      if (users.length) users[users.length - 1].toolsAfter++;
    },
  };
}
// A user message that contains only wrappers (reminders) must not hide the one with the keyword: decide() walks back,
// and each user message counts all tool rounds after it.
function finish(r, o) {
  let n = 0;
  for (let i = r.users.length - 1; i >= 0; i--) {
    n += r.users[i].toolsAfter;
    r.users[i].toolsAfter = n;
  }
  return {...o, users: r.users};
}
export const READ = {
  chat(b) {
    const r = reader();
    let sys = '';
    for (const m of b.messages ?? []) {
      if (m.role === 'system' || m.role === 'developer') sys += textOf(m.content) + '\n';
      else if (m.role === 'user') r.user(textOf(m.content));
      else if (m.role === 'assistant' && m.tool_calls?.length) r.round();
    }
    return finish(r, {
      system: sys,
      tools: (b.tools ?? []).map((t) => ({
        name: t.function?.name ?? t.name,
        schema: t.function?.parameters ?? t.parameters,
      })),
      schema: b.response_format?.json_schema?.schema,
    });
  },
  responses(b) {
    const r = reader();
    let sys = b.instructions ?? '',
      last = '';
    const input = typeof b.input === 'string' ? [{role: 'user', content: b.input}] : (b.input ?? []);
    for (const m of input) {
      const call = /^(function_call|custom_tool_call|local_shell_call)$/.test(m.type ?? '');
      if (call && last !== 'call') r.round();
      if (m.type && m.type !== 'message') {
        if (m.type !== 'reasoning') last = call ? 'call' : 'out';
        continue;
      }
      last = 'msg';
      if (m.role === 'user') r.user(textOf(m.content));
      else if (m.role !== 'assistant') sys += textOf(m.content) + '\n';
    }
    const tools = [];
    // Codex may hide its tools in an "additional_tools" input item, in namespaces, behind a JavaScript "exec" tool.
    const extra = input.filter((m) => m.type === 'additional_tools').flatMap((m) => m.tools ?? []);
    for (const t of [...(b.tools ?? []), ...extra].flatMap((t) =>
      t.type === 'namespace' ? (t.tools ?? []).map((x) => Object.assign(x, {ns: t.name})) : [t],
    )) {
      if (t.ns && t.type === 'custom' && t.name === 'exec')
        tools.push({name: 'exec', ns: t.ns, code: true, has: t.description ?? ''});
      else if (t.ns && t.type === 'function') tools.push({name: t.name, schema: t.parameters, ns: t.ns});
      else if (t.type === 'function') tools.push({name: t.name, schema: t.parameters});
      else if (t.type === 'custom') tools.push({name: t.name, custom: true});
      else if (t.type === 'local_shell')
        tools.push({name: 'local_shell', schema: {properties: {command: {type: 'array'}}}});
    }
    return finish(r, {system: sys, tools, schema: b.text?.format?.schema});
  },
  anthropic(b) {
    const r = reader();
    for (const m of b.messages ?? []) {
      if (m.role === 'user')
        r.user(
          typeof m.content === 'string'
            ? m.content
            : (m.content ?? [])
                .filter((p) => p.type === 'text')
                .map((p) => p.text)
                .join('\n'),
        );
      else if (Array.isArray(m.content) && m.content.some((p) => p.type === 'tool_use')) r.round();
    }
    return finish(r, {
      system: textOf(b.system),
      tools: (b.tools ?? []).map((t) => ({name: t.name, schema: t.input_schema})),
      schema: b.output_config?.format?.schema ?? b.output_format?.schema,
    });
  },
  gemini(b) {
    const r = reader();
    for (const c of b.contents ?? []) {
      if (c.role === 'model') {
        if (c.parts?.some((p) => p.functionCall)) r.round();
      } else r.user((c.parts ?? []).map((p) => p.text ?? '').join('\n'));
    }
    const g = b.generationConfig ?? {};
    return finish(r, {
      system: (b.systemInstruction?.parts ?? []).map((p) => p.text ?? '').join('\n'),
      tools: (b.tools ?? [])
        .flatMap((t) => t.functionDeclarations ?? [])
        .map((f) => ({name: f.name, schema: f.parametersJsonSchema ?? f.parameters})),
      schema: g.responseJsonSchema ?? g.responseSchema,
    });
  },
};
