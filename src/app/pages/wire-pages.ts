import {
  detailOf,
  processNames,
  findingsText,
  signOf,
  timeOf,
  titleOf,
  type Finding,
  type FindingsOf,
  fullText,
} from '../../recording/describe.ts';
import type {Exchange} from '../../recording/exchanges.ts';
import {sanitize} from '../../text/sanitize.ts';
import {page, type Page} from './pages.ts';
import {pickerOf} from '../pickers/picker.ts';
import type {Picker} from '../state.ts';

/** Returns the protocol log as a picker, with the newest message selected. With several agents, each message names its own. */
export function wirePicker(exchanges: readonly Exchange[], findingsOf: FindingsOf): Picker {
  const names = processNames(exchanges);
  const items = exchanges.map((exchange) => ({
    id: String(exchange.index),
    label: [names.get(exchange.run), timeOf(exchange), signOf(exchange), titleOf(exchange)]
      .filter(Boolean)
      .join(' '),
    description: [detailOf(exchange), findingsText(findingsOf(exchange))].filter(Boolean).join(' · '),
  }));
  const picker = pickerOf({purpose: {kind: 'wire'}, title: 'Protocol log', items});
  return {...picker, selected: Math.max(0, items.length - 1)};
}

/** Returns a page with a whole message; closing it returns to the list. */
export function exchangePage(exchange: Exchange, findings: readonly Finding[], over: Picker): Page {
  return {...page(titleOf(exchange), sanitize(fullText(exchange, findings))), over};
}
