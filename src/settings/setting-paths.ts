import {isJsonObject} from '../text/json.ts';

/** The path of a setting, such as `sessions` and `keepDays`. */
export type SettingPath = readonly string[];

const SEGMENT = /^(?:([^."\s]+)|("(?:[^"\\]|\\.)*"))(?:\.(?=.)|$)/;

/** Parses `sessions.keepDays`; a name with a dot is quoted: `agents."my.agent".model`. Undefined if invalid. */
export function parsePath(text: string): SettingPath | undefined {
  const path: string[] = [];
  for (let rest = text; rest !== '' || path.length === 0;) {
    const [whole, bare, quoted] = SEGMENT.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    path.push(bare ?? (JSON.parse(quoted ?? '""') as string));
    rest = rest.slice(whole.length);
  }
  return path;
}

/** Returns the path as it can be typed. */
export function pathText(path: SettingPath): string {
  return path.map((name) => (/^[^."\s]+$/.test(name) ? name : JSON.stringify(name))).join('.');
}

/** Returns the value at a path; undefined for none. */
export function valueAt(value: unknown, path: SettingPath): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  return isJsonObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : undefined;
}

/** Returns the value with the new one at the path, or without it if undefined. Creates missing objects, and removes empty ones. */
export function withValueAt(value: unknown, path: SettingPath, change: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change;
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  const inner = withValueAt(valueAt(value, [name]), rest, change);
  const isThere = entries.some(([other]) => other === name);
  const changed = isThere
    ? entries.flatMap(([other, kept]) => (other === name ? [[other, inner]] : [[other, kept]]))
    : [...entries, [name, inner]];
  const left = changed.filter(([, kept]) => kept !== undefined);
  return left.length === 0 && change === undefined ? undefined : Object.fromEntries(left);
}

export interface SettingLeaf {
  readonly path: SettingPath;
  readonly value: unknown;
}

/** Returns all leaves: values that are not non-empty objects, in order. */
export function leavesOf(value: unknown, path: SettingPath = []): readonly SettingLeaf[] {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return path.length === 0 ? [] : [{path, value}];
  return entries.flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}
