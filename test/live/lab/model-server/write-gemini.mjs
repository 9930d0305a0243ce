import {id, json, sse, stream, usage} from './answer.mjs';

export async function gemini(res, s, {model, streaming}) {
  const u = usage(s),
    um = {promptTokenCount: u.inn, candidatesTokenCount: u.out, totalTokenCount: u.inn + u.out};
  const R = (parts, fin) => ({
    candidates: [{content: {role: 'model', parts}, index: 0, ...(fin && {finishReason: fin})}],
    usageMetadata: um,
    modelVersion: model,
    responseId: 'lab',
  });
  const fc = (c) => ({functionCall: {id: id('fc'), name: c.name, args: c.args}, thoughtSignature: 'bGFi'});
  const fin = s.end ? 'MAX_TOKENS' : 'STOP';
  if (!streaming)
    return json(res, 200, R([...(s.text ? [{text: s.text.join('')}] : []), ...(s.calls ?? []).map(fc)], fin));
  sse(res);
  const ev = (p, f) => res.write(`data: ${JSON.stringify(R(p, f))}\r\n\r\n`);
  let thought = '';
  return stream(res, s, {
    // Gemini sends whole summaries, each with a subject.
    think: (c) => void (thought += c),
    thinkEnd: () => ev([{text: `**Thinking**\n\n${thought}`, thought: true}]),
    text: (c) => ev([{text: c}]),
    call: (c) => ev([fc(c)]),
    end: () => {
      ev([{text: ''}], fin);
      res.end();
    },
  });
}
