import {findChoice, namedChoices, unknownText} from '../../app/commands/command.ts';
import type {EffectOf} from '../../app/effects.ts';
import type {SettingRow} from '../../app/settings/setting-row.ts';
import {settingsPicker} from '../../app/settings/settings-picker.ts';
import {activeSession} from '../../app/sessions.ts';
import {APPROVAL_LEVELS} from '../../session/settings/approval.ts';
import {AGENT_NAME} from '../../settings/schema/agent-settings.ts';
import {withFolder} from '../../settings/project-settings.ts';
import {changeProjectSetting, changeUserSetting} from '../../settings/setting-changes.ts';
import {parsePath} from '../../settings/setting-paths.ts';
import {settingRows} from '../../settings/setting-values.ts';
import {
  effectiveSettings,
  isSettingName,
  settingsOfAgent,
  type EffectiveSettings,
  type SettingName,
} from '../../settings/schema/settings-schema.ts';
import {readSettings} from '../../settings/settings.ts';
import {
  notify,
  showPicker,
  type EffectContext,
  type EffectHandlers,
  type EffectOutcome,
} from './effect-context.ts';
import {preferenceOf, type AppliedByEffect} from '../preferences.ts';

type SettingContext = Pick<EffectContext, 'store' | 'settings' | 'permissions' | 'sessions'>;

export const settingEffects = {
  show_settings(back, context) {
    showPicker(context, settingsPicker(rowsOf(context), back));
  },
  set_setting({name, value: typed}, context): EffectOutcome | Promise<EffectOutcome> {
    const row = rowsOf(context).find(({id, earlierName}) => id === name || earlierName === name);
    // Words to search for may begin with a word that is a name, too: `agent colors`.
    if (!row?.choices && !(row && name.includes('.')))
      return settingEffects.show_settings({kind: 'show_settings', filter: `${name} ${typed}`}, context);
    const choices = row.choices && namedChoices(row.choices);
    const value = choices ? findChoice(choices, typed)?.id : typed;
    if (value === undefined) return notify(context, unknownText(row.id, choices ?? [], typed));
    const place = row.setIn ?? 'user';
    return settingEffects.change_setting({kind: 'change_setting', row, value, place}, context);
  },
  // Writes it to the selected place, applies it if that is possible at once, and updates the list.
  async change_setting({row, value, place, back}, context) {
    const {store, settings} = context;
    const {config, state} = settings;
    const path = parsePath(row.id) ?? [];
    const folder = activeSession(store.latest()).session.cwd;
    const before = settingsIn(folder, context);
    const changed =
      place === 'user'
        ? await changeUserSetting(config, {path, value})
        : changeProjectSetting({state, folder}, {path, value});
    if (!changed.ok) return changed;
    const [name = ''] = path;
    const isAtOnce = isSettingName(name) && row.applies === 'at once';
    if (isAtOnce && !settings.options[row.id])
      apply(name, {before, now: settingsIn(folder, context)}, context);
    // The list is on the screen already; what was applied may have changed the draft.
    if (back) showPicker({store, began: store.latest()}, settingsPicker(rowsOf(context), back));
    notify(context, savedNotice({row, value, place}, settings.options[row.id]?.option));
    return changed;
  },
} satisfies Partial<EffectHandlers>;

function rowsOf({store, settings}: SettingContext): readonly SettingRow[] {
  const {session} = activeSession(store.latest());
  const names = Object.values(store.latest().sessions).map(({agentLabel}) => agentLabel);
  return settingRows(
    {...settings, cwd: session.cwd},
    {options: settings.options, agents: names.filter((name) => AGENT_NAME.test(name))},
  );
}

function savedNotice(
  {row: {id, applies}, value, place}: Pick<EffectOf<'change_setting'>, 'row' | 'value' | 'place'>,
  option: string | undefined,
): string {
  const file = place === 'user' ? 'your settings' : '.acp-tui.json';
  const done = value === undefined ? `${id} is removed from ${file}` : `${id} is saved in ${file}`;
  if (option !== undefined) return `${done}; ${option} overrides it in this window.`;
  return applies === 'at once' ? `${done}.` : `${done}; it applies ${applies}.`;
}

interface SettingsChange {
  readonly before: EffectiveSettings;
  readonly now: EffectiveSettings;
}

const APPLY: Readonly<Record<AppliedByEffect, (change: SettingsChange, context: SettingContext) => void>> = {
  screen({now: {screen}}, {store}) {
    if (screen !== store.latest().screen) store.dispatch({type: 'screen_changed', screen}, 'urgent');
  },
  permissions: (_, {permissions}) => permissions.reload(),
  hooks: (_, {permissions}) => permissions.reload(),
  // A session whose level was chosen for it alone keeps that, and one that is not on the screen is never allowed more: its level may have been chosen, too.
  approve({before, now}, {store, sessions}) {
    const shown = activeSession(store.latest()).key;
    for (const {key, agentLabel, session} of Object.values(store.latest().sessions)) {
      const levelIn = (settings: EffectiveSettings) =>
        settingsOfAgent(settings, agentLabel).approve ?? settings.approve;
      const level = levelIn(now);
      const allowsMore = APPROVAL_LEVELS.indexOf(level) > APPROVAL_LEVELS.indexOf(session.approval);
      if (session.approval === levelIn(before) && (key === shown || !allowsMore))
        sessions.clientOf(key).setApproval(level);
    }
  },
};

/** Applies a setting to the running window. */
function apply(name: SettingName, change: SettingsChange, context: SettingContext): void {
  if (isAppliedByEffect(name)) APPLY[name](change, context);
  else
    context.store.dispatch({type: 'preferences_changed', change: preferenceOf(name, change.now)}, 'urgent');
}

function settingsIn(folder: string, context: SettingContext): EffectiveSettings {
  const {config, state, env} = context.settings;
  return effectiveSettings(withFolder(readSettings(config, env), {state, folder}).settings);
}

function isAppliedByEffect(name: string): name is AppliedByEffect {
  return Object.hasOwn(APPLY, name);
}
