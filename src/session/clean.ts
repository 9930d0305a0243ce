import {sanitize, sanitizeLine} from '../text/sanitize.ts';
import type {SessionEvent, SessionEventOf} from './events.ts';

/*
 * Where an agent's text enters the state, and the only place where it is cleaned: afterwards no string in the state can
 * control a terminal, apart from the ids below. Those go back to the agent as they came, and are not for display.
 */
const KEPT: ReadonlySet<string> = new Set([
  'toolCallId',
  'sessionId',
  'senderSessionId',
  'recipientSessionId',
  'messageId',
  'terminalId',
  'terminal_id',
  'planId',
  'compactionId',
  'optionId',
  'modeId',
  'currentModeId',
  'modelId',
  'currentModelId',
  'configId',
  'id',
  'value',
  'currentValue',
  // Not text: pictures and sound, and terminal output, which text/terminal-text.ts folds.
  'data',
  'blob',
  // How a sign-in method is run.
  'args',
  'env',
]);

/** One line wherever they are shown. */
const LINES: ReadonlySet<string> = new Set(['name', 'version']);

/** What agents fill as they like: there every string is text, whatever its key. */
const FREE_FORM: ReadonlySet<string> = new Set(['rawInput', 'rawOutput']);

/** Deeper than this nothing is shown; a hostile depth would exhaust the stack of whoever walks it. */
const DEEPEST = 100;

/** Cleans all text in an event; gives the same event back when there was nothing to clean. */
export function cleanEvent(event: SessionEvent): SessionEvent {
  if (event.type === 'session_update') return cleanUpdate(event);
  const cleaned = cleanKnown(event, 0) as SessionEvent;
  if (cleaned.type !== 'session_opened' || event.type !== 'session_opened') return cleaned;
  // Our own folders: paths that we use, not text.
  const {cwd, additionalDirectories} = event.session;
  return {...cleaned, session: {...cleaned.session, cwd, additionalDirectories}};
}

/** The text of a message comes in pieces that may end within a character: it is cleaned as it is joined, in streamed-text.ts. */
function cleanUpdate(event: SessionEventOf<'session_update'>): SessionEvent {
  const {update} = event;
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk': {
      if (update.content.type !== 'text') break;
      const content = cleanKnown({...update.content, text: ''}, 0) as typeof update.content;
      return {...event, update: {...update, content: {...content, text: update.content.text}}};
    }
    default:
  }
  return cleanKnown(event, 0) as SessionEvent;
}

function cleanKnown(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return sanitize(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return '…';
  if (Array.isArray(value)) return cleanItems(value, (item) => cleanKnown(item, depth + 1));
  return cleanFields(value, (field, key) => {
    if (KEPT.has(key)) return field;
    if (FREE_FORM.has(key)) return cleanFreeForm(field, depth + 1);
    if (key === 'availableCommands' && Array.isArray(field))
      return cleanKnown(field.filter(hasCleanName), depth + 1);
    if (typeof field === 'string' && LINES.has(key)) return sanitizeLine(field);
    return cleanKnown(field, depth + 1);
  });
}

/** A command is sent by its name; one whose name cannot be shown as it is must not be offered. */
function hasCleanName(command: {readonly name: string}): boolean {
  return sanitizeLine(command.name) === command.name;
}

function cleanFreeForm(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return sanitize(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return '…';
  if (Array.isArray(value)) return cleanItems(value, (item) => cleanFreeForm(item, depth + 1));
  const cleaned = cleanFields(value, (field) => cleanFreeForm(field, depth + 1));
  if (Object.keys(cleaned).every((key) => sanitize(key) === key)) return cleaned;
  return Object.fromEntries(Object.entries(cleaned).map(([key, field]) => [sanitize(key), field]));
}

function cleanItems(items: readonly unknown[], clean: (item: unknown) => unknown): readonly unknown[] {
  const cleaned = items.map(clean);
  return cleaned.every((item, index) => item === items[index]) ? items : cleaned;
}

function cleanFields(fields: object, clean: (field: unknown, key: string) => unknown): object {
  let cleaned: Record<string, unknown> | undefined;
  for (const [key, field] of Object.entries(fields)) {
    const value = clean(field, key);
    if (value !== field) (cleaned ??= {...fields} as Record<string, unknown>)[key] = value;
  }
  return cleaned ?? fields;
}
