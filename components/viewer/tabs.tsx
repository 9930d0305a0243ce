import type {AppState, Tab} from '../../src/app/state.ts';
import {agentName} from '../../src/app/status/status-line.ts';
import {openTabs, tabState} from '../../src/app/open-sessions.ts';
import {type OpenState, stateWord} from '../../src/session/labels/session-states.ts';
import {sessionTitle} from '../../src/session/titles.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {Row} from '../layout/rows.tsx';
import {type Theme, useTheme} from '../theme/theme.tsx';

export type TabSpan = ReturnType<typeof tabsOf>[number];

const MAX_TITLE = 24;

/** Returns the tabs of the open sessions, each with its state and its columns, of which `to` is exclusive; none for a single one. */
export function tabsOf(state: AppState, theme: Theme) {
  const tabs = openTabs(state.sessions);
  if (tabs.length < 2) return [];
  const {paint, columns} = theme;
  const room = Math.max(4, Math.min(MAX_TITLE, Math.floor(columns / tabs.length) - 8));
  let from = 0;
  return tabs.map((tab, index) => {
    const {key} = tab;
    const isActive = key === state.active;
    const title = truncate(sanitizeLine(sessionTitle(tab.session) ?? agentName(tab)), room);
    const name = isActive ? paint.bold(title) : title;
    const text = ` ${paint.dim(String(index + 1))} ${name}${activityMark(tab, theme)} `;
    const span = {
      key,
      text: isActive && paint.surface ? paint.surface(text) : text,
      from,
      to: from + width(text),
    };
    from = span.to;
    return span;
  });
}

/** The open sessions in a row. */
export function Tabs({tabs}: {readonly tabs: readonly TabSpan[]}) {
  const {columns} = useTheme();
  if (tabs.length === 0) return null;
  return <Row text={truncate(tabs.map(({text}) => text).join(''), columns)} />;
}

function activityMark(tab: Tab, {paint, symbols}: Theme): string {
  const state = tabState(tab);
  const marks: Readonly<Record<OpenState, string>> = {
    waiting: paint.warning(` ${symbols.warning} ${stateWord(state)}`),
    // A word for each that works would leave no room for the titles.
    working: paint.accent(` ${symbols.running}`),
    done: paint.success(` ${symbols.ended} ${stateWord(state)}`),
    idle: '',
    failed: paint.error(` ${stateWord(state)}`),
    ended: paint.dim(` ${stateWord(state)}`),
  };
  return marks[state];
}
