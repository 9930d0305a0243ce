// Shared by the four response formats: IDs, pace, and the two kinds of response.
import {setTimeout as sleep} from 'node:timers/promises';

let seq = 0;
export const id = (prefix) => `${prefix}_lab${Date.now().toString(36)}${(++seq).toString(36)}`;
export const usage = (s) => ({inn: 1200 + seq * 7, out: 20 + (s.text?.length ?? 0)});
export async function stream(res, s, w) {
  // w: { think, text, call, end }
  const pace = async () => {
    await sleep(s.delay ?? 4);
    return !res.destroyed && !res.writableEnded;
  };
  await w.start?.();
  if (s.think) {
    await w.thinkStart?.();
    for (const c of s.think) {
      if (!(await pace())) return false;
      w.think(c);
    }
    await w.thinkEnd?.();
  }
  if (s.text) {
    await w.textStart?.();
    for (const c of s.text) {
      if (!(await pace())) return false;
      w.text(c);
    }
    await w.textEnd?.();
  }
  for (const c of s.calls ?? []) {
    if (!(await pace())) return false;
    w.call(c);
  }
  w.end();
  return true;
}
export const argsOf = (c) => (c.custom ? c.input : JSON.stringify(c.args));
export const halves = (t) => [t.slice(0, t.length >> 1), t.slice(t.length >> 1)];
export const sse = (res) =>
  res.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
export const json = (res, code, o) => {
  res.writeHead(code, {'content-type': 'application/json'});
  res.end(JSON.stringify(o));
  return true;
};
