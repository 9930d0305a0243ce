// A small MCP server over standard input and output, with one tool. It logs its requests to the file in HEARD, one per line.
import {appendFileSync} from 'node:fs';
import {createInterface} from 'node:readline';

const received = (text) => appendFileSync(process.env.HEARD, `${text}\n`);
received(`started with ${process.argv.slice(2).join(' ')} in ${process.env.WORD}`);

const answers = {
  initialize: ({protocolVersion}) => ({
    protocolVersion,
    capabilities: {tools: {}},
    serverInfo: {name: 'lab-server', version: '1.0.0'},
  }),
  'tools/list': () => ({
    tools: [
      {name: 'tell_time', description: 'Tells the time', inputSchema: {type: 'object', properties: {}}},
    ],
  }),
  'tools/call': () => ({content: [{type: 'text', text: 'It is noon.'}]}),
  ping: () => ({}),
};

createInterface({input: process.stdin}).on('line', (line) => {
  const {id, method, params} = JSON.parse(line);
  received(method);
  if (id === undefined) return;
  const answer = answers[method];
  const outcome = answer
    ? {result: answer(params ?? {})}
    : {error: {code: -32601, message: 'Method not found'}};
  process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', id, ...outcome})}\n`);
});
