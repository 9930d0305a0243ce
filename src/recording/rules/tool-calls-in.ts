import type {Message} from '../exchanges.ts';
import {fieldsOf, itemsOf} from '../fields.ts';
import {updateIn, type Happening} from './happenings.ts';

/** The tool call that an update or a request for permission tells of; undefined for everything else. */
export function toolCallIn(happening: Happening): Message | undefined {
  const told = updateIn(happening);
  if (told) return told.kind === 'tool_call' || told.kind === 'tool_call_update' ? told.update : undefined;
  if (happening.kind !== 'request' || happening.method !== 'session/request_permission') return undefined;
  return fieldsOf(happening.params['toolCall']);
}

/** What of its content is of a type. */
export function contentOf(toolCall: Message | undefined, type: string): readonly Message[] {
  return itemsOf(toolCall?.['content']).filter((content) => content['type'] === type);
}
