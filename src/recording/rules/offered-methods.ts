import type {Message} from '../exchanges.ts';
import {fieldsOf} from '../fields.ts';
import type {Breach, Rule} from './rule.ts';

/** The agent calls only what the client offered. */
export const offeredMethods: Rule = {
  name: 'offered-methods',
  page: 'initialization#client-capabilities',
  find(life) {
    let offered: Message = {};
    return life.flatMap((happening): readonly Breach[] => {
      if (happening.kind !== 'request') return [];
      const {index, from, method, params} = happening;
      if (from === 'client') {
        if (method === 'initialize') offered = fieldsOf(params['clientCapabilities']);
        return [];
      }
      return isOffered(method, params, offered) ? [] : [{index, text: `the client did not offer ${method}`}];
    });
  },
};

function isOffered(method: string, params: Message, offered: Message): boolean {
  const {readTextFile, writeTextFile} = fieldsOf(offered['fs']);
  if (method === 'fs/read_text_file') return readTextFile === true;
  if (method === 'fs/write_text_file') return writeTextFile === true;
  if (method.startsWith('terminal/')) return offered['terminal'] === true;
  if (method === 'elicitation/create') {
    const mode = params['mode'] === 'url' ? 'url' : 'form';
    return typeof fieldsOf(offered['elicitation'])[mode] === 'object';
  }
  return true;
}
