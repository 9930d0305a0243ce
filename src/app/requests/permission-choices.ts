import {
  isHookRecord,
  type DecisionRecord,
  type HookRecord,
  type LogRecord,
  type PermissionRule,
  type RuleEffect,
  type RuleSource,
} from '../../session/requests/permission-rules.ts';
import type {SessionGrant} from '../../session/actions.ts';
import {PROTECTED_PATHS} from '../../session/requests/protected-paths.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {emitEvent, perform} from '../effects.ts';
import {page, type Page} from '../pages/pages.ts';
import {openPicker, pickerOf, type ListItem, type PickerSelection} from '../pickers/picker.ts';
import {approvalSetting, settingPicker} from '../pickers/setting-pickers.ts';
import type {Tab, Picker} from '../state.ts';

interface PermissionsShown {
  readonly rules: readonly PermissionRule[];
  /** What was allowed for the session. */
  readonly grants: readonly SessionGrant[];
  /** Oldest first. */
  readonly decisions: readonly DecisionRecord[];
}

const SHOWN_DECISIONS = 20;

/** Returns everything that decides, in order of precedence, and the decisions; selecting a decision explains it. */
export function permissionsPicker(
  {rules, grants, decisions}: PermissionsShown,
  {session: {approval}}: Tab,
): Picker {
  const newest = decisions
    .map((decision, index): ListItem => ({
      id: `decision ${index}`,
      label: decisionLine(decision),
      group: 'Decisions, newest first',
      choose: ({tab: {key}}) => perform({kind: 'explain_decision', key, index}),
    }))
    .toReversed()
    .slice(0, SHOWN_DECISIONS);
  const items = [
    ...rules.map(ruleItem),
    ...(rules.length === 0 ? [noRules] : []),
    ...grants.map(({id, covers, answer}) => ({
      id: `grant ${id} ${covers}`,
      label: escapeHiddenLine(covers),
      description: escapeHiddenLine(`"${answer}"`),
      group: 'Allowed for this session; select to revoke',
      choose: () => openPicker(grantPicker(id, covers)),
    })),
    {
      id: 'approval',
      label: `--approve ${approval}`,
      description: 'if no rule applies; select to change',
      group: 'No rule',
      choose: ({tab: {session}}: PickerSelection) => openPicker(settingPicker(approvalSetting(session))),
    },
    {
      id: 'protected',
      label: 'Protected paths',
      description: 'always ask; select to list them',
      group: 'No rule',
      choose: () => emitEvent({type: 'overlay_opened', overlay: protectedPathsPage()}),
    },
    ...newest,
  ];
  return pickerOf({title: 'Permissions', items});
}

const noRules: ListItem = {
  id: 'none',
  label: 'None yet',
  group: 'Rules',
  disabled: 'For example: /permissions allow execute npm test*',
};

const RULE_GROUPS: Readonly<Record<RuleSource, Pick<ListItem, 'group' | 'disabled'>>> = {
  user: {group: 'Your rules'},
  agent: {group: 'Your rules for one agent', disabled: 'Edit it in config.json, under agents.'},
  option: {group: 'Rules of this run', disabled: 'Given with --allow or --deny.'},
  project: {group: 'Rules of this folder (.acp-tui.json)', disabled: 'Edit it in .acp-tui.json.'},
  sandbox: {group: 'What the sandbox hides', disabled: 'Edit sandbox.hidden in /settings.'},
};

function ruleItem({effect, source, text}: PermissionRule): ListItem {
  return {
    id: `rule ${effect} ${text}`,
    label: escapeHiddenLine(`${effect} ${text}`),
    choose: () => openPicker(rulePicker(effect, text)),
    ...RULE_GROUPS[source],
  };
}

const EFFECTS = [
  ['allow', 'Allow', 'without asking'],
  ['ask', 'Ask', 'at any --approve level'],
  ['deny', 'Deny', 'without asking'],
] as const;

/** Returns the actions on a rule, with the current effect selected, so that pressing Enter twice changes nothing. */
function rulePicker(effect: RuleEffect, text: string): Picker {
  const effects = EFFECTS.map(([id, label, description]): ListItem => ({
    id,
    label,
    description,
    current: id === effect,
    choose: ({tab: {key}}) => perform({kind: 'add_rule', key, effect: id, text}),
  }));
  const remove: ListItem = {
    id: 'remove',
    label: 'Remove the rule',
    choose: ({tab: {key}}) => perform({kind: 'remove_rule', key, text}),
  };
  return pickerOf({title: escapeHiddenLine(`Rule: ${text}`), items: [...effects, remove]});
}

/** Asks whether to keep what was allowed for the session, which is selected, so that pressing Enter twice changes nothing. */
function grantPicker(id: string, covers: string): Picker {
  const items: readonly ListItem[] = [
    {id: 'keep', label: 'Keep', description: 'for this session', current: true},
    {
      id: 'take_back',
      label: 'Revoke',
      description: 'and ask again',
      choose: ({tab: {key}}) => perform({kind: 'take_back', key, id, covers}),
    },
  ];
  const title = escapeHiddenLine(`Allowed for this session: ${covers}`);
  return pickerOf({purpose: {kind: 'question'}, title, items});
}

/** Returns a decision in one line: what, and by whom or what. */
function decisionLine({method, title, outcome, by, subagent}: DecisionRecord): string {
  const wanted = [operationLabels[method], escapeHiddenLine(title)].filter(Boolean).join(' ');
  const of = subagent === undefined ? '' : ` (subagent ${escapeHiddenLine(subagent)})`;
  return `${outcome} by ${by === 'user' ? 'you' : escapeHiddenLine(by)}: ${wanted}${of}`;
}

/** Descriptions of operations through acp-tui; a permission request has its own title. */
const operationLabels: Readonly<Partial<Record<string, string>>> = {
  'fs/read_text_file': 'read',
  'fs/write_text_file': 'write',
  'terminal/create': 'run',
};

/** Returns all logged decisions of a session, and what hooks did. */
export function decisionsOverlay(records: readonly LogRecord[]): Page {
  const lines = records.map((record) => {
    const key = isHookRecord(record) ? undefined : record.key;
    const pressed = key === undefined ? '' : `, key ${escapeHiddenLine(key)}`;
    const line = isHookRecord(record) ? hookLine(record) : decisionLine(record);
    return `${timeOf(record)}  ${line} (${escapeHiddenLine(record.method)}${pressed})`;
  });
  return page('Decisions of this session', lines.join('\n') || 'No decisions yet.');
}

/** Returns what a hook did in one line. */
function hookLine({outcome, by, said, characters = 0, why = ''}: HookRecord): string {
  const did: Readonly<Record<HookRecord['outcome'], string>> = {
    ran: said === undefined ? 'ran' : `ran and said ${said}`,
    added: `added ${characters} ${characters === 1 ? 'character' : 'characters'} for the agent`,
    failed: `failed: ${why}`,
    stopped: `was stopped: ${why}`,
  };
  return escapeHiddenLine(`${by} ${did[outcome]}`);
}

/** Returns a page that explains a permission decision. */
export function explanationOverlay(decision: DecisionRecord): Page {
  const {command, paths = [], title, kind, method, unresolved} = decision;
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['When', timeOf(decision)],
    ['What', title],
    ['Request', `${method}, kind ${kind}`],
    ['Command', command],
    ['Files', paths.join(', ') || undefined],
    ['Why', whyOf(decision)],
    ['Unclear', unresolved && `The command could not be parsed with certainty: ${unresolved}.`],
  ];
  const known = facts.filter((fact): fact is readonly [string, string] => fact[1] !== undefined);
  return page(
    `Why ${decision.outcome}`,
    known.map(([name, value]) => `${name.padEnd(10)}${escapeHiddenLine(value)}`).join('\n'),
  );
}

function whyOf({outcome, by, option, key, askedBy}: DecisionRecord): string {
  const asked = askedBy === undefined ? '' : ` You were asked because of ${askedBy}.`;
  if (by === 'user' && outcome !== 'cancelled') {
    const chosen = option === undefined ? '' : ` with "${option}"`;
    return `You answered${chosen}${key === undefined ? '' : ` (key ${key})`}.${asked}`;
  }
  if (outcome === 'cancelled')
    return `Not answered: the turn or the subagent was cancelled, or you closed it.${asked}`;
  if (outcome === 'withdrawn') return `Not answered: the agent stopped waiting for it.${asked}`;
  if (by === 'an earlier answer') return 'You allowed it earlier, when the agent asked for permission.';
  if (by.startsWith('your answer')) return `Allowed for this session by ${by}. /permissions revokes it.`;
  if (by.startsWith('--approve'))
    return outcome === 'allowed'
      ? `No rule applies, and ${by} allows it.`
      : `No rule allows it, nor does ${by}, and nothing could be asked (non-interactive).`;
  return outcome === 'allowed' ? `Allowed by ${by}.` : `Denied by ${by}.`;
}

/** Local time, as `2026-11-27 13:05:09`. */
function timeOf({at}: LogRecord): string {
  return new Date(at).toLocaleString('sv');
}

/** Returns the page of paths that ask at every level, and of rules that allow them. */
function protectedPathsPage(): Page {
  const lists = PROTECTED_PATHS.map(({what, paths}) => `${what}\n  ${paths.join('  ')}`);
  return page(
    'Protected paths',
    [
      'Writes, requests and commands that name one of these always ask, at any --approve level and depth, and behind links.',
      'A rule applies to one only if it names it: "allow edit .claude/**", not "allow edit **".',
      'settings and state of acp-tui\n  its config, data, state and cache folders, wherever they are',
      ...lists,
    ].join('\n\n'),
  );
}
