import type {SessionEvent, SessionEventOf, SessionEventType} from '../../session/events.ts';

/** `typed`: an object that says by its `type` what it is. */
type Shape = 'text' | 'number' | 'list' | 'object' | 'typed';

/** What stored events must have to be folded; what may be missing is left out. */
const SHAPES: {
  readonly [Type in SessionEventType]?: {
    readonly [Field in Exclude<keyof SessionEventOf<Type>, 'type' | 'at'>]?: Shape;
  };
} = {
  connection_changed: {connection: 'object'},
  agent_initialized: {response: 'object', fallbackName: 'text'},
  session_opened: {session: 'object', how: 'text'},
  renamed: {title: 'text'},
  imported: {title: 'text', entries: 'list', terminals: 'list'},
  folder_added: {path: 'text'},
  session_update: {update: 'object'},
  prompt_started: {turn: 'number', content: 'list'},
  prompt_steered: {content: 'list'},
  prompt_ended: {turn: 'number', outcome: 'object'},
  permission_requested: {id: 'text', request: 'object'},
  permission_rule_offered: {id: 'text'},
  permission_resolved: {id: 'text', toolCallId: 'text', decision: 'object'},
  terminal_created: {terminalId: 'text', command: 'text', cwd: 'text'},
  terminal_output: {terminalId: 'text', data: 'text'},
  terminal_drawn: {terminalId: 'text'},
  terminal_waits: {terminalId: 'text'},
  terminal_exited: {terminalId: 'text', exit: 'object'},
  terminal_released: {terminalId: 'text'},
  mode_set: {modeId: 'text'},
  model_set: {modelId: 'text'},
  config_options_set: {configOptions: 'list'},
  notice: {level: 'text', text: 'text'},
};

/** The same for the fields of updates, which mostly may be missing. */
const UPDATE_SHAPES: Readonly<Record<string, Shape>> = {
  sessionUpdate: 'text',
  toolCallId: 'text',
  messageId: 'text',
  title: 'text',
  name: 'text',
  kind: 'text',
  status: 'text',
  text: 'text',
  json: 'text',
  currentModeId: 'text',
  planId: 'text',
  locations: 'list',
  entries: 'list',
  availableCommands: 'list',
  configOptions: 'list',
  plan: 'typed',
  cost: 'object',
  used: 'number',
  size: 'number',
};

const isOf: {readonly [Name in Shape]: (value: unknown) => boolean} = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  list: Array.isArray,
  object: isObject,
  typed: (value) => isObject(value) && typeof value['type'] === 'string',
};

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether an event has what its type needs. What agents sent was checked before it was stored; this finds damage. */
export function isWhole(event: {
  readonly type: SessionEventType;
  readonly at: number;
}): event is SessionEvent {
  const fields: Fields = {...event};
  const isComplete = Object.entries<Shape>(SHAPES[event.type] ?? {}).every(([field, shape]) =>
    isOf[shape](fields[field]),
  );
  return isComplete && (event.type !== 'session_update' || isWholeUpdate(fields['update'] as Fields));
}

function isWholeUpdate(update: Fields): boolean {
  const {sessionUpdate, content} = update;
  const contents: Shape = String(sessionUpdate).endsWith('_chunk') ? 'typed' : 'list';
  return (
    (content === undefined || content === null || isOf[contents](content)) &&
    Object.entries(update).every(([field, value]) => {
      const shape = UPDATE_SHAPES[field];
      return shape === undefined || value === undefined || value === null || isOf[shape](value);
    })
  );
}
