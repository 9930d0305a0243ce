import type {Message} from '../exchanges.ts';
import {fieldsOf, textOf} from '../fields.ts';
import type {Breach, Rule} from './rule.ts';
import {contentOf, toolCallIn} from './tool-calls-in.ts';

/** A terminal in a tool call is one that the client made. Some agents run commands themselves, for clients that take that. */
export const knownTerminal: Rule = {
  name: 'known-terminal',
  page: 'terminals#embedding-in-tool-calls',
  find(life) {
    const made = new Set<unknown>();
    let offered: Message = {};
    return life.flatMap((happening): readonly Breach[] => {
      if (happening.kind === 'request' && happening.method === 'initialize')
        offered = fieldsOf(fieldsOf(happening.params['clientCapabilities'])['_meta']);
      if (happening.kind === 'answer' && happening.method === 'terminal/create')
        made.add(happening.result?.['terminalId']);
      const unknown = contentOf(toolCallIn(happening), 'terminal')
        .flatMap(({terminalId}) => textOf(terminalId) ?? [])
        .filter((id) => !made.has(id));
      for (const id of unknown) made.add(id);
      const isLegal = offered['terminal_output'] === true;
      return unknown.map((id) => {
        const text = `the client made no terminal ${JSON.stringify(id)}`;
        return {index: happening.index, text, isLegal};
      });
    });
  },
};
