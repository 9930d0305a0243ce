import {argsOf, halves, id, json, sse, stream, usage} from './answer.mjs';

export async function anthropic(res, s, b) {
  const u = usage(s),
    m = {
      id: id('msg'),
      type: 'message',
      role: 'assistant',
      model: b.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: u.inn,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 1,
      },
    };
  const stop = s.calls ? 'tool_use' : s.end ? 'max_tokens' : 'end_turn';
  const think = s.think && b.thinking && b.thinking.type !== 'disabled';
  if (!b.stream)
    return json(res, 200, {
      ...m,
      stop_reason: stop,
      usage: {...m.usage, output_tokens: u.out},
      content: [
        ...(s.text ? [{type: 'text', text: s.text.join('')}] : []),
        ...(s.calls ?? []).map((c) => ({type: 'tool_use', id: id('toolu'), name: c.name, input: c.args})),
      ],
    });
  sse(res);
  let k = 0;
  const ev = (type, o) => res.write(`event: ${type}\ndata: ${JSON.stringify({type, ...o})}\n\n`);
  const d = (delta) => ev('content_block_delta', {index: k, delta});
  return stream(
    res,
    {...s, think: think ? s.think : null},
    {
      start: () => {
        ev('message_start', {message: m});
        ev('ping', {});
      },
      thinkStart: () =>
        ev('content_block_start', {index: k, content_block: {type: 'thinking', thinking: '', signature: ''}}),
      think: (c) => d({type: 'thinking_delta', thinking: c}),
      thinkEnd: () => {
        d({type: 'signature_delta', signature: 'bGFi'});
        ev('content_block_stop', {index: k++});
      },
      textStart: () => ev('content_block_start', {index: k, content_block: {type: 'text', text: ''}}),
      text: (c) => d({type: 'text_delta', text: c}),
      textEnd: () => ev('content_block_stop', {index: k++}),
      call: (c) => {
        ev('content_block_start', {
          index: k,
          content_block: {type: 'tool_use', id: id('toolu'), name: c.name, input: {}},
        });
        for (const h of halves(argsOf(c))) d({type: 'input_json_delta', partial_json: h});
        ev('content_block_stop', {index: k++});
      },
      end: () => {
        ev('message_delta', {delta: {stop_reason: stop, stop_sequence: null}, usage: {output_tokens: u.out}});
        ev('message_stop', {});
        res.end();
      },
    },
  );
}
