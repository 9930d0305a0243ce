// Fills a JSON schema with something that fits.
export const deref = (s, root) =>
  s?.$ref
    ? (s.$ref
        .replace(/^#\//, '')
        .split('/')
        .reduce((o, k) => o?.[k], root) ?? {})
    : (s ?? {});
/** A value for schema `s`; `$ref`s are resolved in `root`, `kind` is the script's action, `key` the name of the value. */
export function fill(s, {root = s, kind = '', key = ''} = {}) {
  s = deref(s, root);
  if (s.const !== undefined) return s.const;
  if (s.enum) return s.enum.includes('user') ? 'user' : s.enum[0];
  const alt = s.anyOf ?? s.oneOf;
  if (alt) return fill(alt.find((x) => x.type !== 'null') ?? alt[0], {root, kind, key});
  const t = String(
    Array.isArray(s.type)
      ? s.type.find((x) => x !== 'null')
      : (s.type ?? (s.properties ? 'object' : 'string')),
  ).toLowerCase();
  if (t === 'object')
    return Object.fromEntries(
      Object.entries(s.properties ?? {})
        .filter(([k]) => (s.required ?? Object.keys(s.properties)).includes(k))
        .map(([k, v]) => [k, fill(v, {root, kind, key: k})]),
    );
  if (t === 'array')
    return Array.from({length: Math.max(s.minItems ?? 0, kind === 'ask' ? 2 : 0)}, (_, i) => {
      const v = fill(s.items ?? {}, {root, kind, key});
      if (v && v.label) v.label = ['Blue', 'Red', 'Green'][i];
      return typeof v === 'string' && kind === 'ask' ? ['Blue', 'Red', 'Green'][i] : v;
    });
  if (t === 'integer' || t === 'number') return Math.max(s.minimum ?? 1, 1);
  if (t === 'boolean') return false;
  return kind === 'ask'
    ? ({
        question: 'Which color do you like?',
        header: 'Color',
        label: 'Blue',
        description: 'A color',
        id: 'color',
      }[key] ?? 'Which color?')
    : 'lab';
}
