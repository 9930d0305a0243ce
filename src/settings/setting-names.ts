import {isJsonObject} from '../text/json.ts';
import {pathText, withValueAt, type SettingPath} from './setting-paths.ts';

/** Earlier names of settings, with their paths of today. Those of the sandbox are settings of agents, too. */
const EARLIER: Readonly<Record<string, SettingPath>> = {
  sandboxFolders: ['sandbox', 'folders'],
  sandboxHidden: ['sandbox', 'hidden'],
  sandboxSockets: ['sandbox', 'sockets'],
  network: ['sandbox', 'network'],
  networkHosts: ['sandbox', 'hosts'],
  backgroundIdle: ['background', 'idleHours'],
  glyphs: ['accessibility', 'glyphs'],
  images: ['accessibility', 'images'],
  reducedMotion: ['accessibility', 'reducedMotion'],
  screenReader: ['accessibility', 'screenReader'],
  statusCommand: ['statusLine', 'command'],
};

/** The groups that those settings are in. */
const GROUPS: ReadonlySet<unknown> = new Set(Object.values(EARLIER).map(([group]) => group));
/** Groups that may be a list instead: only one of both can count. */
const LISTS: ReadonlySet<unknown> = new Set(['statusLine']);
/** Groups that a single value turns on and off: `"sandbox": "on"` is short for `"sandbox": {"enabled": "on"}`. */
const SWITCHES: ReadonlySet<unknown> = new Set(['sandbox', 'background']);

/** Values that are gone, for which the default applies, as it does for a value that is wrong: it protects more. */
const GONE: ReadonlyMap<string, unknown> = new Map([['requireReading', 'none']]);

/** True for a value that a setting had before, and without which the user is protected as well. */
export function isGone(name: string, value: unknown): boolean {
  return value !== undefined && GONE.get(name) === value;
}

/** Returns the path of today for a setting by any name. `value`: what it has, or gets; undefined for the whole group. */
export function currentPath(path: SettingPath, value?: unknown): SettingPath {
  const owner = path[0] === 'agents' ? path.slice(0, 2) : [];
  const [name = '', ...rest] = path.slice(owner.length);
  const isShort = SWITCHES.has(name) && rest.length === 0 && value !== undefined && !isJsonObject(value);
  const own = isShort ? [name, 'enabled'] : Object.hasOwn(EARLIER, name) ? EARLIER[name] : undefined;
  if (!own || (owner.length > 0 && own[0] !== 'sandbox')) return path;
  return [...owner, ...own, ...rest];
}

/** Returns the earlier name of a setting, or of what is in it; undefined if it always had this one. */
export function earlierName(path: SettingPath): string | undefined {
  return Object.keys(EARLIER).find((name) => {
    const current = currentPath([...path.slice(0, -2), name]);
    return pathText(current.slice(0, path.length)) === pathText(path);
  });
}

interface CurrentSettings {
  /** The settings by their names of today. */
  readonly settings: object;
  /** How the settings that have other names today are named in the file, by the text of their paths of today. */
  readonly written: ReadonlyMap<string, SettingPath>;
  /** Those that stand there by two names: only one of the values could count. */
  readonly twice: readonly TwiceSet[];
  /** Groups with a value that is none, beside settings of them by earlier names, which count. */
  readonly wrongGroups: readonly SingleSetting[];
}

/** A setting by an earlier name, and the one that is set, too: the same, or its whole group. */
interface TwiceSet {
  readonly path: SettingPath;
  readonly other: SettingPath;
}

/** Returns how a setting is named in the file; of a group that is not there, the earlier name of what is in it. Undefined if it is named as today. */
export function nameInFile(path: SettingPath, written: CurrentSettings['written']): SettingPath | undefined {
  const name = pathText(path);
  const inside = [...written].flatMap(([each, inFile]) => (each.startsWith(`${name}.`) ? [inFile] : []));
  const isThere = inside.some(({length}) => length > path.length);
  return written.get(name) ?? (isThere ? undefined : inside[0]);
}

/** Returns the content of a settings file with today's names. */
export function currentSettings(content: object): CurrentSettings {
  const written = new Map<string, SettingPath>();
  const {clear, beside, wrongGroups} = withoutWholeGroups(content);
  for (const {path, name} of beside) written.set(pathText(path), [name]);
  for (const {path} of wrongGroups) written.set(pathText(path), path);
  const twice: TwiceSet[] = [...beside];
  let settings: unknown = {};
  for (const {path, value} of singleSettings([], clear)) {
    const current = currentPath(path, value);
    const name = pathText(current);
    const isEarlier = name !== pathText(path);
    const isTwice = written.has(name);
    if (isTwice) twice.push({path: current, other: current});
    if (!isTwice || isEarlier) written.set(name, path);
    if (!isTwice || !isEarlier) settings = withValueAt(settings, current, value);
  }
  return {settings: settings as object, written, twice, wrongGroups};
}

/** Separates settings by earlier names from a group that has one value instead: a list counts, anything else is no group. */
function withoutWholeGroups(content: object) {
  const clear = new Map<string, unknown>(Object.entries(content));
  const beside: (TwiceSet & {readonly name: string})[] = [];
  const wrongGroups: SingleSetting[] = [];
  for (const [name, path] of Object.entries(EARLIER)) {
    const [group = ''] = path;
    const value = clear.get(group);
    if (!clear.has(name) || value === undefined || SWITCHES.has(group) || isJsonObject(value)) continue;
    if (LISTS.has(group)) beside.push({path, other: [group], name});
    else wrongGroups.push({path: [group], value});
    clear.delete(LISTS.has(group) ? name : group);
  }
  return {clear: Object.fromEntries(clear), beside, wrongGroups};
}

interface SingleSetting {
  readonly path: SettingPath;
  readonly value: unknown;
}

/** Returns the settings in an object one by one, without the groups and agents that they are in. */
function singleSettings(path: SettingPath, value: unknown): readonly SingleSetting[] {
  const isOfAgents = path[0] === 'agents' && path.length <= 2;
  const isGroup =
    GROUPS.has(path.at(path[0] === 'agents' ? 2 : 0)) && path.length === (path[0] === 'agents' ? 3 : 1);
  const isInside = path.length === 0 || isGroup || (isOfAgents && Object.keys(value ?? {}).length > 0);
  return isInside && isJsonObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => singleSettings([...path, name], inner))
    : [{path, value}];
}
