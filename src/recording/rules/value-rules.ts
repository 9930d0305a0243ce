import {type Message, fieldsOf, itemsOf, textOf} from '../exchanges.ts';
import {sessionIn, updateIn, type Violation, type Rule, type ProtocolEvent} from './rule.ts';
import {contentOf, toolCallIn} from './tool-call-rules.ts';
import {addAll} from '../../text/lists.ts';

/** The current mode, and the current value of an option, is one of the available ones. */
export const knownValues: Rule = {
  name: 'known-values',
  page: 'session-config-options',
  find(events) {
    const modes = new Map<string, ReadonlySet<unknown>>();
    return events.flatMap((protocolEvent): readonly Violation[] => {
      const notification = updateIn(protocolEvent);
      const {index} = protocolEvent;
      if (notification?.kind === 'config_option_update') return optionsOf(notification.update, index);
      if (notification?.kind === 'current_mode_update')
        return modeOf(notification.update, modes.get(notification.sessionId), index);
      if (protocolEvent.kind !== 'answer' || protocolEvent.from !== 'agent') return [];
      const {params, result = {}} = protocolEvent;
      const state = fieldsOf(result['modes']);
      if (state['availableModes'] === undefined) return optionsOf(result, index);
      const available = new Set(itemsOf(state['availableModes']).map(({id}) => id));
      modes.set(sessionIn(result) || sessionIn(params), available);
      return [...optionsOf(result, index), ...modeOf(state, available, index)];
    });
  },
};

function modeOf(
  {currentModeId}: Message,
  available: ReadonlySet<unknown> | undefined,
  index: number,
): readonly Violation[] {
  const id = textOf(currentModeId);
  if (id === undefined || !available || available.has(id)) return [];
  return [{index, text: `unknown mode ${JSON.stringify(id)}`}];
}

function optionsOf({configOptions}: Message, index: number): readonly Violation[] {
  return itemsOf(configOptions)
    .filter(({type, currentValue, options}) => type === 'select' && !choicesOf(options).has(currentValue))
    .map(({id, currentValue}) => ({
      index,
      text: `the option ${JSON.stringify(id)} has no value ${JSON.stringify(currentValue)}`,
    }));
}

/** Values are in a list, or in groups of lists. */
function choicesOf(options: unknown): ReadonlySet<unknown> {
  const listed = itemsOf(options);
  const grouped = listed.flatMap((group) => itemsOf(group['options']));
  return new Set([...listed, ...grouped].map(({value}) => value));
}

/** All paths of the protocol are absolute. */
export const absolutePaths: Rule = {
  name: 'absolute-paths',
  page: 'overview#argument-requirements',
  find: (events) =>
    events.flatMap((protocolEvent) =>
      protocolEvent.from === 'agent'
        ? pathsIn(protocolEvent)
            .filter((path) => !isAbsolute(path))
            .map((path) => ({
              index: protocolEvent.index,
              text: `the path ${JSON.stringify(path)} is not absolute`,
            }))
        : [],
    ),
};

function pathsIn(protocolEvent: ProtocolEvent): readonly string[] {
  const toolCall = toolCallIn(protocolEvent);
  const found = [
    ...itemsOf(toolCall?.['locations']).map(({path}) => path),
    ...contentOf(toolCall, 'diff').map(({path}) => path),
  ];
  if (protocolEvent.kind === 'request' && protocolEvent.method.startsWith('fs/'))
    found.push(protocolEvent.params['path']);
  if (protocolEvent.kind === 'request' && protocolEvent.method === 'terminal/create')
    found.push(protocolEvent.params['cwd']);
  if (protocolEvent.kind === 'answer' && protocolEvent.method === 'session/list')
    addAll(
      found,
      itemsOf(protocolEvent.result?.['sessions']).map(({cwd}) => cwd),
    );
  return found.flatMap((path) => textOf(path) ?? []);
}

/** On any system: a recording may come from another one. */
function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** Line numbers count from 1. */
export const lineNumbers: Rule = {
  name: 'line-numbers',
  page: 'overview#argument-requirements',
  find: (events) =>
    events.flatMap((protocolEvent) => {
      const lines = itemsOf(toolCallIn(protocolEvent)?.['locations']).map(({line}) => line);
      if (
        protocolEvent.kind === 'request' &&
        protocolEvent.method === 'fs/read_text_file' &&
        protocolEvent.from === 'agent'
      )
        lines.push(protocolEvent.params['line']);
      return lines.includes(0) ? [{index: protocolEvent.index, text: 'line numbers start at 1'}] : [];
    }),
};
