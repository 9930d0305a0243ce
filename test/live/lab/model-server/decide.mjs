// Finds the script for a request.
import {fill} from './fill.mjs';
import {SCRIPTS, words} from './scripts.mjs';
import {toolFor} from './tools.mjs';

const strip = (s) =>
  s.replace(
    /<(system-reminder|environment_context|context|user_instructions|environment_details|session_context|permissions[^>]*)>[\s\S]*?<\/\1>/g,
    ' ',
  );

export function decide(req) {
  if (req.schema) return {name: 'json', text: [JSON.stringify(fill(req.schema))]};
  for (let i = req.users.length - 1; i >= 0; i--) {
    const u = strip(req.users[i].text),
      low = u.toLowerCase();
    const hit = SCRIPTS.filter(([k]) => low.includes(k))
      .map(([k, f]) => [low.indexOf(k), k, f])
      .sort((a, b) => a[0] - b[0] || b[1].length - a[1].length)[0];
    if (!hit) continue;
    const n = req.tools.length ? req.users[i].toolsAfter : 0;
    if (!req.tools.length && /(title|summar|topic|classif)/i.test(req.system + low))
      return {name: 'title', text: ['Mock lab session']};
    const s = hit[2](u, n);
    if (s.calls) {
      s.calls = s.calls.map(([k, a]) => toolFor(k, a, req.tools)).filter(Boolean);
      if (!s.calls.length) {
        delete s.calls;
        s.text = [...(s.text ?? []), `(no tool for "${hit[1]}" was offered)\n`];
      }
    }
    return {name: `${hit[1]}#${n}`, ...s};
  }
  if (/title|summar/i.test(req.system)) return {name: 'title', text: ['Mock lab session']};
  return {name: 'default', text: words('I am the mock model and found no keyword.\n')};
}
