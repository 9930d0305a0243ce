import {
  detailOf,
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

/** Returns a picker of the messages on the wire, the newest selected. */
export function wirePicker(exchanges: readonly Exchange[], findingsOf: FindingsOf): Picker {
  const items = exchanges.map((exchange) => ({
    id: String(exchange.index),
    label: `${timeOf(exchange)} ${signOf(exchange)} ${titleOf(exchange)}`,
    description: [detailOf(exchange), findingsText(findingsOf(exchange))].filter(Boolean).join(' · '),
  }));
  const picker = pickerOf({purpose: {kind: 'wire'}, title: 'Protocol log', items});
  return {...picker, selected: Math.max(0, items.length - 1)};
}

/** One of them in full; closing it shows the list again. */
export function exchangePage(exchange: Exchange, findings: readonly Finding[], over: Picker): Page {
  return {...page(titleOf(exchange), sanitize(fullText(exchange, findings))), over};
}
