import {itemsOf, textOf} from '../fields.ts';
import type {Happening} from './happenings.ts';
import type {Rule} from './rule.ts';
import {contentOf, toolCallIn} from './tool-calls-in.ts';

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

function pathsIn(happening: Happening): readonly string[] {
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
