import * as z from 'zod/mini';
import {
  RULE_EFFECTS,
  RULE_FORM,
  ruleOf,
  type PermissionRule,
  type RuleSource,
} from '../../session/requests/permission-rules.ts';

/** The schema of rules in a settings file. */
export const ruleLists = z.strictObject({
  allow: z.optional(z.array(z.string())),
  ask: z.optional(z.array(z.string())),
  deny: z.optional(z.array(z.string())),
});
export type RuleLists = z.infer<typeof ruleLists>;

export const RULE_LISTS_ALLOWED = 'lists of rules under allow, ask and deny';

/** Valid rules, and a sentence for each invalid one. */
interface ReadRules {
  readonly rules: readonly PermissionRule[];
  readonly problems: readonly string[];
}

/** Reads the rules in `permissions` of a settings file, or of an agent in it; invalid ones are skipped and reported. */
export function readRules(
  lists: RuleLists,
  of: RuleSource | {readonly agent: string},
  file: string,
): ReadRules {
  const problems: string[] = [];
  const isOfAgent = typeof of === 'object';
  const place = isOfAgent ? `agents.${of.agent}.permissions` : 'permissions';
  const rules = RULE_EFFECTS.flatMap((effect) =>
    (lists[effect] ?? []).flatMap((text, index) => {
      const rule = isOfAgent
        ? ruleOf(effect, `agent=${of.agent} ${text}`, 'agent')
        : ruleOf(effect, text, of);
      if (!rule)
        problems.push(
          `"${place}.${effect}[${index}]" in ${file} must be ${RULE_FORM}, not ${JSON.stringify(text)}; it is ignored.`,
        );
      return rule ? [rule] : [];
    }),
  );
  return {rules, problems};
}

/** Returns the lists with a rule added, or moved from another list. */
export function withRule(
  lists: RuleLists,
  {effect, text}: Pick<PermissionRule, 'effect' | 'text'>,
): RuleLists {
  const without = withoutRule(lists, text);
  return {...without, [effect]: [...(without[effect] ?? []), text]};
}

/** Returns the lists without a rule. */
export function withoutRule(lists: RuleLists, text: string): RuleLists {
  const kept = RULE_EFFECTS.map((effect) => [effect, lists[effect]?.filter((rule) => rule.trim() !== text)]);
  return Object.fromEntries(kept.filter(([, rules]) => rules !== undefined)) as RuleLists;
}
