import * as z from 'zod/mini';
import {fail, type Result} from '../../shared/failure.ts';
import {isJsonObject} from '../../text/json.ts';
import type {ReportProblem} from '../setting-problems.ts';
import {mustBe} from './setting-fields.ts';
import {
  RULE_EFFECTS,
  RULE_FORM,
  ruleOf,
  type PermissionRule,
  type RuleEffect,
  type RuleSource,
} from '../../session/requests/permission-rules.ts';

/** Rules in a settings file by effect; `readRules` reads each list and each rule separately. */
type RuleLists = {readonly [Effect in RuleEffect]?: unknown};
export const ruleLists = z.custom<RuleLists>(isJsonObject);

export const RULE_LISTS_ALLOWED = 'lists of rules under allow, ask and deny';

interface RuleOwner {
  readonly source: RuleSource;
  /** The agent in whose settings they are. */
  readonly agent?: string;
}

/** Reads the rules in `permissions` of a settings file, or of an agent in it: what is invalid is reported and skipped. */
export function readRules(
  lists: RuleLists,
  {source, agent}: RuleOwner,
  report: ReportProblem,
): readonly PermissionRule[] {
  const place = [...(agent === undefined ? [] : ['agents', agent]), 'permissions'];
  for (const name of Object.keys(lists))
    if (!RULE_EFFECTS.some((effect) => effect === name)) report([...place, name], 'is not a setting');
  return RULE_EFFECTS.flatMap((effect) => {
    const list = lists[effect] ?? [];
    if (!Array.isArray(list)) {
      report([...place, effect], mustBe('a list of rules', list));
      return [];
    }
    return list.flatMap((text: unknown, index) => {
      const ofAgent = agent === undefined ? '' : `agent=${agent} `;
      const rule = typeof text === 'string' ? ruleOf(effect, ofAgent + text, source) : undefined;
      if (!rule) report([...place, effect, index], mustBe(RULE_FORM, text));
      return rule ? [rule] : [];
    });
  });
}

/** The lists of a settings file, with whatever is in them. */
export type StoredLists = {readonly [Effect in RuleEffect]?: readonly unknown[]};

/** Returns the lists in the content of a settings file, to be changed; fails with `invalid_setting` if that would drop what is not a list. */
export function storedLists(content: {readonly permissions?: unknown}, file: string): Result<StoredLists> {
  const lists = content.permissions ?? {};
  if (isJsonObject(lists) && RULE_EFFECTS.every((effect) => Array.isArray(lists[effect] ?? [])))
    return {ok: true, value: lists};
  const problem = `"permissions" in ${file} must be ${RULE_LISTS_ALLOWED}; nothing changed.`;
  return fail({kind: 'invalid_setting', problem});
}

/** Returns the lists with a rule added, or moved from another list. */
export function withRule(
  lists: StoredLists,
  {effect, text}: Pick<PermissionRule, 'effect' | 'text'>,
): StoredLists {
  const without = withoutRule(lists, text);
  return {...without, [effect]: [...(without[effect] ?? []), text]};
}

/** Returns the lists without a rule. */
export function withoutRule(lists: StoredLists, text: string): StoredLists {
  const isOther = (rule: unknown) => typeof rule !== 'string' || rule.trim() !== text;
  const kept = RULE_EFFECTS.flatMap((effect) => {
    const list = lists[effect];
    return list ? [[effect, list.filter(isOther)] as const] : [];
  });
  return {...lists, ...Object.fromEntries(kept)};
}
