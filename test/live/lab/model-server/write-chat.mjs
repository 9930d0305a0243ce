import {argsOf, halves, id, json, sse, stream, usage} from './answer.mjs';

export async function chat(res, s, b) {
  const u = usage(s),
    base = {id: id('chatcmpl'), created: (Date.now() / 1000) | 0, model: b.model};
  const use = {prompt_tokens: u.inn, completion_tokens: u.out, total_tokens: u.inn + u.out};
  const fin = s.calls ? 'tool_calls' : (s.end ?? 'stop');
  const calls = s.calls?.map((c, index) => ({
    index,
    id: id('call'),
    type: 'function',
    function: {name: c.name, arguments: argsOf(c)},
  }));
  if (!b.stream)
    return json(res, 200, {
      ...base,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: fin,
          message: {
            role: 'assistant',
            content: s.text?.join('') ?? null,
            ...(calls && {tool_calls: calls}),
            ...(s.think && {reasoning_content: s.think.join('')}),
          },
        },
      ],
      usage: use,
    });
  sse(res);
  const ev = (delta, finish_reason = null, more) =>
    res.write(
      `data: ${JSON.stringify({...base, object: 'chat.completion.chunk', choices: [{index: 0, delta, finish_reason}], ...more})}\n\n`,
    );
  let i = 0;
  return stream(res, s, {
    start: () => ev({role: 'assistant', content: ''}),
    think: (c) => ev({reasoning_content: c}),
    text: (c) => ev({content: c}),
    call: () => {
      const c = calls[i++],
        [a, z] = halves(c.function.arguments);
      ev({tool_calls: [{...c, function: {name: c.function.name, arguments: a}}]});
      ev({tool_calls: [{index: c.index, function: {arguments: z}}]});
    },
    end: () => {
      ev({}, fin, {usage: use});
      res.end('data: [DONE]\n\n');
    },
  });
}
