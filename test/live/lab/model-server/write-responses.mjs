import {argsOf, halves, id, json, sse, stream, usage} from './answer.mjs';

export async function responses(res, s, b) {
  const u = usage(s),
    rid = id('resp'),
    out = [];
  let n = 0,
    k = 0,
    item,
    acc = '';
  const R = (status, more) => ({
    id: rid,
    object: 'response',
    created_at: (Date.now() / 1000) | 0,
    status,
    model: b.model,
    output: out,
    parallel_tool_calls: false,
    tool_choice: 'auto',
    tools: [],
    ...more,
  });
  const use = {
    input_tokens: u.inn,
    input_tokens_details: {cached_tokens: 0},
    output_tokens: u.out,
    output_tokens_details: {reasoning_tokens: 0},
    total_tokens: u.inn + u.out,
  };
  const callItem = (c) =>
    c.custom
      ? {
          type: 'custom_tool_call',
          id: id('ctc'),
          call_id: id('call'),
          status: 'completed',
          name: c.name,
          ...(c.ns && {namespace: c.ns}),
          input: c.input,
        }
      : c.name === 'local_shell'
        ? {
            type: 'local_shell_call',
            id: id('lsh'),
            call_id: id('call'),
            status: 'completed',
            action: {type: 'exec', command: c.args.command, env: {}},
          }
        : {
            type: 'function_call',
            id: id('fc'),
            call_id: id('call'),
            status: 'completed',
            name: c.name,
            ...(c.ns && {namespace: c.ns}),
            arguments: argsOf(c),
          };
  if (!b.stream) {
    if (s.text)
      out.push({
        type: 'message',
        id: id('msg'),
        status: 'completed',
        role: 'assistant',
        content: [{type: 'output_text', text: s.text.join(''), annotations: []}],
      });
    for (const c of s.calls ?? []) out.push(callItem(c));
    return json(res, 200, R('completed', {usage: use}));
  }
  sse(res);
  const ev = (type, o) =>
    res.write(`event: ${type}\ndata: ${JSON.stringify({type, sequence_number: n++, ...o})}\n\n`);
  const open = (it) => {
    item = it;
    acc = '';
    ev('response.output_item.added', {output_index: k, item});
  };
  const done = (it) => {
    out.push(it);
    ev('response.output_item.done', {output_index: k++, item: it});
  };
  return stream(res, s, {
    start: () => {
      ev('response.created', {response: R('in_progress')});
      ev('response.in_progress', {response: R('in_progress')});
    },
    thinkStart: () => {
      open({type: 'reasoning', id: id('rs'), summary: []});
      ev('response.reasoning_summary_part.added', {
        item_id: item.id,
        output_index: k,
        summary_index: 0,
        part: {type: 'summary_text', text: ''},
      });
    },
    think: (c) => {
      acc += c;
      ev('response.reasoning_summary_text.delta', {
        item_id: item.id,
        output_index: k,
        summary_index: 0,
        delta: c,
      });
    },
    thinkEnd: () => {
      ev('response.reasoning_summary_text.done', {
        item_id: item.id,
        output_index: k,
        summary_index: 0,
        text: acc,
      });
      ev('response.reasoning_summary_part.done', {
        item_id: item.id,
        output_index: k,
        summary_index: 0,
        part: {type: 'summary_text', text: acc},
      });
      done({...item, summary: [{type: 'summary_text', text: acc}], encrypted_content: 'bGFi'});
    },
    textStart: () => {
      open({type: 'message', id: id('msg'), status: 'in_progress', role: 'assistant', content: []});
      ev('response.content_part.added', {
        item_id: item.id,
        output_index: k,
        content_index: 0,
        part: {type: 'output_text', text: '', annotations: []},
      });
    },
    text: (c) => {
      acc += c;
      ev('response.output_text.delta', {item_id: item.id, output_index: k, content_index: 0, delta: c});
    },
    textEnd: () => {
      ev('response.output_text.done', {item_id: item.id, output_index: k, content_index: 0, text: acc});
      ev('response.content_part.done', {
        item_id: item.id,
        output_index: k,
        content_index: 0,
        part: {type: 'output_text', text: acc, annotations: []},
      });
      done({...item, status: 'completed', content: [{type: 'output_text', text: acc, annotations: []}]});
    },
    call: (c) => {
      const it = callItem(c);
      open({
        ...it,
        status: 'in_progress',
        ...(it.arguments !== undefined && {arguments: ''}),
        ...(it.input !== undefined && {input: ''}),
      });
      if (it.arguments !== undefined) {
        for (const d of halves(it.arguments))
          ev('response.function_call_arguments.delta', {item_id: it.id, output_index: k, delta: d});
        ev('response.function_call_arguments.done', {
          item_id: it.id,
          output_index: k,
          arguments: it.arguments,
        });
      }
      if (it.input !== undefined) {
        ev('response.custom_tool_call_input.delta', {item_id: it.id, output_index: k, delta: it.input});
        ev('response.custom_tool_call_input.done', {item_id: it.id, output_index: k, input: it.input});
      }
      done(it);
    },
    end: () => {
      if (s.end)
        ev('response.incomplete', {
          response: R('incomplete', {usage: use, incomplete_details: {reason: 'max_output_tokens'}}),
        });
      else ev('response.completed', {response: R('completed', {usage: use})});
      res.end();
    },
  });
}
