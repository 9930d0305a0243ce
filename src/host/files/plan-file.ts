import {relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {LIMITS} from '../../shared/limits.ts';
import type {HostContext} from '../host-context.ts';
import {readTextSync} from './read-file.ts';
import type {PlanFile} from '../services.ts';

/**
 * Returns the plan in a file ("Agent Plan", `file`, a draft), if the file lies in the roots after links, no rule restricts reading it, and it is no larger
 * than `LIMITS.planBytes`.
 */
export function readPlanFile({roots, rules, options}: HostContext, uri: string): PlanFile | undefined {
  const named = pathOf(uri, roots.cwd);
  const real = named === undefined ? undefined : roots.locate(named);
  if (named === undefined || real === undefined) return undefined;
  const verdict = rules().decide({
    agent: {label: options.agent.label, claimed: options.agent.claimed()},
    kind: 'read',
    tool: undefined,
    paths: [{named, real}],
    command: undefined,
    files: [],
    guarded: [],
  });
  if (verdict && verdict.effect !== 'allow') return undefined;
  const text = readTextSync(real, LIMITS.planBytes);
  // The path may lead elsewhere since it was read.
  if (typeof text !== 'string' || text.includes('\0') || roots.locate(named) !== real) return undefined;
  return {name: relative(roots.cwd, real), text};
}

/** Undefined if the URI is not a local file. */
function pathOf(uri: string, cwd: string): string | undefined {
  try {
    if (/^file:/i.test(uri)) return fileURLToPath(uri);
  } catch {
    return undefined;
  }
  return /^[a-z][a-z\d+.-]*:/i.test(uri) ? undefined : resolve(cwd, uri);
}
