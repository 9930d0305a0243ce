import type {DecisionRecord} from '../session/decision-record.ts';
import type {PermissionRule, RuleEffect, RuleSource} from '../session/permission-rules.ts';
import {fold, nothing, perform, type Step} from './effects.ts';
import {decisionLine, protectedPathsPage} from './permission-pages.ts';
import {openPicker, pickerOf} from './picker.ts';
import {approvalPicker} from './pickers.ts';
import {escapeHiddenLine} from '../text/hidden.ts';
import type {OpenSession, Picker, PickerItem} from './state.ts';

export interface PermissionsShown {
  readonly rules: readonly PermissionRule[];
  /** Oldest first. */
  readonly decisions: readonly DecisionRecord[];
}

const SHOWN_DECISIONS = 20;

/** All that decides, strongest first, and what was decided: choosing a decision explains it. */
export function permissionsPicker({rules, decisions}: PermissionsShown, {approval}: OpenSession): Picker {
  const newest = decisions
    .map((decision, index): PickerItem => ({
      id: `decision ${index}`,
      label: decisionLine(decision),
      group: 'Decided, newest first; choose one to see why',
    }))
    .toReversed()
    .slice(0, SHOWN_DECISIONS);
  const items = [
    ...rules.map(ruleItem),
    ...(rules.length === 0 ? [noRules] : []),
    {
      id: 'approval',
      label: `--approve ${approval}`,
      description: 'decides where no rule does; choose it to change it',
      group: 'Without a rule',
    },
    {
      id: 'protected',
      label: 'Protected paths',
      description: 'ask at every level; choose it to see them',
      group: 'Without a rule',
    },
    ...newest,
  ];
  return pickerOf({purpose: {kind: 'permissions'}, title: 'Permissions', items});
}

const noRules: PickerItem = {
  id: 'none',
  label: 'None yet',
  group: 'Rules',
  disabled: 'For example: /permissions allow execute npm test*',
};

const RULE_GROUPS: Readonly<Record<RuleSource, Pick<PickerItem, 'group' | 'disabled'>>> = {
  user: {group: 'Your rules'},
  agent: {group: 'Your rules for one agent', disabled: 'Change it in config.json, under agents.'},
  project: {group: 'Rules of this folder (.acp-tui.json)', disabled: 'Change it in .acp-tui.json.'},
};

function ruleItem({effect, source, text}: PermissionRule): PickerItem {
  return {
    id: `rule ${effect} ${text}`,
    label: escapeHiddenLine(`${effect} ${text}`),
    ...RULE_GROUPS[source],
  };
}

/** What choosing an item of `permissionsPicker` does. */
export function choosePermission({key, approval}: OpenSession, id: string): Step {
  const [kind = '', first = '', ...rest] = id.split(' ');
  switch (kind) {
    case 'approval':
      return openPicker(approvalPicker(approval));
    case 'protected':
      return fold({type: 'overlay_opened', overlay: protectedPathsPage()});
    case 'rule':
      return openPicker(rulePicker(first as RuleEffect, rest.join(' ')));
    case 'decision':
      return perform({kind: 'explain_decision', key, index: Number(first)});
    default:
      return nothing;
  }
}

const RULE_ACTIONS: readonly (readonly [id: string, label: string, description?: string])[] = [
  ['allow', 'Allow', 'without asking'],
  ['ask', 'Ask', 'at any --approve level'],
  ['deny', 'Deny', 'without asking'],
  ['remove', 'Remove the rule'],
];

/** What can be done with a rule; begins on what it is, so that Enter twice changes nothing. */
function rulePicker(effect: RuleEffect, text: string): Picker {
  const items = RULE_ACTIONS.map(([id, label, description]) => ({
    id,
    label,
    description,
    current: id === effect,
  }));
  return pickerOf({purpose: {kind: 'rule', text}, title: escapeHiddenLine(`Rule: ${text}`), items});
}

/** What choosing an item of `rulePicker` does. */
export function chooseForRule({key}: OpenSession, text: string, id: string): Step {
  return id === 'remove'
    ? perform({kind: 'remove_rule', key, text})
    : perform({kind: 'add_rule', key, effect: id as RuleEffect, text});
}
