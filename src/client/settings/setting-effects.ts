import type {EffectOf} from '../../app/effects.ts';
import {readKeys} from '../../app/keymap/key-settings.ts';
import {settingsPicker} from '../../app/settings/settings-picker.ts';
import {activeSession} from '../../app/sessions.ts';
import type {Preferences} from '../../app/state.ts';
import {ownThemes} from '../../app/themes/own-themes.ts';
import {AGENT_NAME} from '../../storage/settings/agent-settings.ts';
import {withProjectAgents, trustedSettings} from '../../storage/settings/project-settings.ts';
import {changeProjectSetting, changeUserSetting} from '../../storage/settings/setting-changes.ts';
import {parsePath} from '../../storage/settings/setting-paths.ts';
import {settingRows} from '../../storage/settings/setting-rows.ts';
import {
  defaultSettings,
  type settingFields,
  type Settings,
  type SettingName,
} from '../../storage/settings/settings-schema.ts';
import {readSettings} from '../../storage/settings/settings.ts';
import {notify, showPicker, type EffectContext, type EffectHandlers} from '../window/effect-context.ts';

type SettingContext = Pick<EffectContext, 'store' | 'settings' | 'permissions' | 'sessions'>;

export const settingEffects = {
  show_settings({filter, selected}, context) {
    const {store, settings} = context;
    const {session} = activeSession(store.latest());
    const names = Object.values(store.latest().sessions).map(({agentLabel}) => agentLabel);
    const rows = settingRows(
      {...settings, cwd: session.cwd},
      {options: settings.options, agents: names.filter((name) => AGENT_NAME.test(name))},
    );
    showPicker(context, settingsPicker(rows, {filter, selected}));
  },
  // Writes it to the selected place, applies it if that is possible at once, and updates the list.
  async change_setting({row, value, place, back}, context) {
    const {store, settings} = context;
    const {config, state} = settings;
    const path = parsePath(row.id) ?? [];
    const folder = activeSession(store.latest()).session.cwd;
    const changed =
      place === 'user'
        ? await changeUserSetting(config, {path, value})
        : changeProjectSetting({state, folder}, {path, value});
    if (!changed.ok) return changed;
    const [name = ''] = path;
    if (isAppliedAtOnce(name) && !settings.options[name]) apply(name, folder, context);
    settingEffects.show_settings({kind: 'show_settings', ...back}, context);
    notify(context, savedNotice({row, value, place}, settings.options[row.id]?.option));
    return changed;
  },
} satisfies Partial<EffectHandlers>;

function savedNotice(
  {row: {id, applies}, value, place}: Pick<EffectOf<'change_setting'>, 'row' | 'value' | 'place'>,
  option: string | undefined,
): string {
  const file = place === 'user' ? 'your settings' : '.acp-tui.json';
  const done = value === undefined ? `${id} is removed from ${file}` : `${id} is saved in ${file}`;
  if (option !== undefined) return `${done}; ${option} overrides it in this window.`;
  return applies === 'at once' ? `${done}.` : `${done}; it applies ${applies}.`;
}

/** Settings that apply to the running window. */
type AppliedAtOnce = {
  [Name in SettingName]: (typeof settingFields)[Name]['applies'] extends 'at once' ? Name : never;
}[SettingName];

const APPLY: Readonly<Record<AppliedAtOnce, (settings: Settings, context: SettingContext) => void>> = {
  theme: preferring('theme'),
  themes: ({themes}, context) => prefer(context, {ownThemes: ownThemes(themes)}),
  agentColors: ({agentColors}, context) => prefer(context, {agentColors}),
  screen({screen}, {store}) {
    if (screen !== undefined && screen !== store.latest().screen)
      store.dispatch({type: 'screen_changed', screen}, 'urgent');
  },
  editing: preferring('editing'),
  requireReading: preferring('requireReading'),
  reducedMotion: preferring('reducedMotion'),
  notifications: preferring('notifications'),
  sidePanel: preferring('sidePanel'),
  mouse: preferring('mouse'),
  images: preferring('images'),
  keys({keys = {}}, context) {
    const {keymap, problems: keyProblems} = readKeys(keys);
    prefer(context, {keymap, keyProblems});
  },
  permissions: (_, {permissions}) => permissions.reload(),
  approve({approve = 'none', agents = {}}, {store, sessions}) {
    for (const {key, agentLabel} of Object.values(store.latest().sessions)) {
      const level = (Object.hasOwn(agents, agentLabel) ? agents[agentLabel]?.approve : undefined) ?? approve;
      store.dispatch({type: 'session_changed', key, change: {approval: level}}, 'urgent');
      sessions.clientOf(key).setApproval(level);
    }
  },
};

/** Applies a setting that is a preference of the same name. */
function preferring(name: keyof Settings & keyof Preferences) {
  return ({[name]: value}: Settings, context: SettingContext) =>
    prefer(context, value === undefined ? {} : {[name]: value});
}

function isAppliedAtOnce(name: string): name is AppliedAtOnce {
  return Object.hasOwn(APPLY, name);
}

function apply(name: AppliedAtOnce, folder: string, context: SettingContext): void {
  const {config, state, env} = context.settings;
  const read = withProjectAgents(readSettings(config, env), trustedSettings(state, folder)?.agents);
  APPLY[name]({...defaultSettings(read.settings), ...read.settings}, context);
}

function prefer({store}: SettingContext, change: Partial<Preferences>): void {
  store.dispatch({type: 'preferences_changed', change}, 'urgent');
}
