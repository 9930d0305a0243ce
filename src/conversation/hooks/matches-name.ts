import {createContext, Script} from 'node:vm';

/** Names come from the agent. */
const MAX_NAME = 200;
/** Some patterns take minutes for some names, in milliseconds. */
const TIME_LIMIT_MS = 50;

/** Names, or `|` between them. */
const PLAIN = /^[\w-]+(?:\|[\w-]+)*$/;
const SCRIPT = new Script('names.some((name) => RegExp(`^(?:${matcher})$`).test(name))');

/** True if a matcher is for one of the names; also if that cannot be told in time, so that a hook that denies is not avoided. */
export function matchesName(matcher: string | undefined, names: readonly string[]): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (PLAIN.test(matcher)) return matcher.split('|').some((name) => names.includes(name));
  const context = createContext({matcher, names: names.map((name) => name.slice(0, MAX_NAME))});
  try {
    return SCRIPT.runInContext(context, {timeout: TIME_LIMIT_MS}) === true;
  } catch {
    return true;
  }
}
