import type {AppState, Tab, SessionKey} from '../../src/app/state.ts';
import {agentName} from '../../src/app/status/status-line.ts';
import {sessionKeys} from '../../src/app/switching.ts';
import {isAsking} from '../../src/session/selectors.ts';
import {sessionTitle} from '../../src/session/titles.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {isAgentBusy} from '../../src/session/lifecycle/live.ts';
import type {Theme} from '../theme/theme.tsx';

/** A tab and its columns; `to` is exclusive. */
interface TabSpan {
  readonly key: SessionKey;
  readonly from: number;
  readonly to: number;
}

export interface Tabs {
  readonly lines: readonly string[];
  readonly tabs: readonly TabSpan[];
}

const MAX_TITLE = 24;

/** Returns the rows of the open sessions in a row, each with its state; nothing for a single one. */
export function drawTabs(state: AppState, theme: Theme): Tabs {
  const keys = sessionKeys(state);
  if (keys.length < 2) return {lines: [], tabs: []};
  const {paint, columns} = theme;
  const room = Math.max(4, Math.min(MAX_TITLE, Math.floor(columns / keys.length) - 8));
  const tabs: TabSpan[] = [];
  let line = '';
  keys.forEach((key, index) => {
    const tab = state.sessions[key];
    if (tab === undefined) return;
    const isActive = key === state.active;
    const title = truncate(sanitizeLine(sessionTitle(tab.session) ?? agentName(tab)), room);
    const name = isActive ? paint.bold(title) : title;
    const text = ` ${paint.dim(String(index + 1))} ${name}${drawActivity(tab, theme)} `;
    const from = width(line);
    line += isActive && paint.surface ? paint.surface(text) : text;
    tabs.push({key, from, to: width(line)});
  });
  return {lines: [truncate(line, columns)], tabs: tabs.filter(({from}) => from < columns)};
}

function drawActivity({session, left}: Tab, {paint, symbols}: Theme): string {
  if (isAsking(session)) return paint.warning(` ${symbols.warning} asks`);
  if (isAgentBusy(session)) return paint.accent(` ${symbols.running}`);
  const hasNews = left !== undefined && session.entries.length > left.entries;
  return hasNews ? paint.success(` ${symbols.ended} new`) : '';
}
