import {type Message, fieldsOf, itemsOf, textOf} from '../exchanges.ts';
import {sessionIn, updateIn, type Violation, type Rule, type ProtocolEvent} from './rule.ts';
import {contentOf, toolCallIn} from './tool-call-rules.ts';

/** The current mode, and the current value of an option, is one of those that there are. */
export const knownValues: Rule = {
  name: 'known-values',
  page: 'session-config-options',
  find(life) {
    const modes = new Map<string, ReadonlySet<unknown>>();
    return life.flatMap((happening): readonly Violation[] => {
      const told = updateIn(happening);
      const {index} = happening;
      if (told?.kind === 'config_option_update') return optionsOf(told.update, index);
      if (told?.kind === 'current_mode_update') return modeOf(told.update, modes.get(told.sessionId), index);
      if (happening.kind !== 'answer' || happening.from !== 'agent') return [];
      const {params, result = {}} = happening;
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
  return [{index, text: `there is no mode ${JSON.stringify(id)}`}];
}

function optionsOf({configOptions}: Message, index: number): readonly Violation[] {
  return itemsOf(configOptions)
    .filter(({type, currentValue, options}) => type === 'select' && !choicesOf(options).has(currentValue))
    .map(({id, currentValue}) => ({
      index,
      text: `the option ${JSON.stringify(id)} has no value ${JSON.stringify(currentValue)}`,
    }));
}

/** Values stand in a list, or in groups of lists. */
function choicesOf(options: unknown): ReadonlySet<unknown> {
  const listed = itemsOf(options);
  const grouped = listed.flatMap((group) => itemsOf(group['options']));
  return new Set([...listed, ...grouped].map(({value}) => value));
}

/** All paths of the protocol are absolute. */
export const absolutePaths: Rule = {
  name: 'absolute-paths',
  page: 'overview#argument-requirements',
  find: (life) =>
    life.flatMap((happening) =>
      happening.from === 'agent'
        ? pathsIn(happening)
            .filter((path) => !isAbsolute(path))
            .map((path) => ({
              index: happening.index,
              text: `the path ${JSON.stringify(path)} is not absolute`,
            }))
        : [],
    ),
};

function pathsIn(happening: ProtocolEvent): readonly string[] {
  const toolCall = toolCallIn(happening);
  const found = [
    ...itemsOf(toolCall?.['locations']).map(({path}) => path),
    ...contentOf(toolCall, 'diff').map(({path}) => path),
  ];
  if (happening.kind === 'request' && happening.method.startsWith('fs/'))
    found.push(happening.params['path']);
  if (happening.kind === 'request' && happening.method === 'terminal/create')
    found.push(happening.params['cwd']);
  if (happening.kind === 'answer' && happening.method === 'session/list')
    found.push(...itemsOf(happening.result?.['sessions']).map(({cwd}) => cwd));
  return found.flatMap((path) => textOf(path) ?? []);
}

/** Of either family of systems: a recording may come from the other. */
function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** Line numbers count from 1. */
export const lineNumbers: Rule = {
  name: 'line-numbers',
  page: 'overview#argument-requirements',
  find: (life) =>
    life.flatMap((happening) => {
      const lines = itemsOf(toolCallIn(happening)?.['locations']).map(({line}) => line);
      if (
        happening.kind === 'request' &&
        happening.method === 'fs/read_text_file' &&
        happening.from === 'agent'
      )
        lines.push(happening.params['line']);
      return lines.includes(0) ? [{index: happening.index, text: 'there is no line 0'}] : [];
    }),
};
