#!/usr/bin/env node
// A scripted replacement for the big model services, so that real agents run offline: OpenAI chat completions and responses, Anthropic
// messages, Gemini generateContent, and their model lists. Prints "listening PORT" with a free loopback port, and stops when its
// standard input closes.
import http from 'node:http';
import {json} from './answer.mjs';
import {decide} from './decide.mjs';
import {READ} from './read.mjs';
import {anthropic} from './write-anthropic.mjs';
import {chat} from './write-chat.mjs';
import {gemini} from './write-gemini.mjs';
import {responses} from './write-responses.mjs';

const WRITE = {anthropic, chat, gemini, responses};
const MODELS = ['mock-1', 'mock-2', 'gpt-5', 'claude-sonnet-4-5', 'gemini-2.5-flash'];

const server = http.createServer((request, response) => {
  void respond(request, response).catch((error) => {
    if (!response.headersSent) json(response, 500, {error: {message: String(error)}});
    else response.end();
  });
});
process.stdin.resume().on('end', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening ${server.address().port}\n`));

async function respond(request, response) {
  const body = await bodyOf(request);
  const path = new URL(request.url, 'http://localhost').pathname;
  const gemini = /\/models\/([^:/]+):(\w+)/.exec(path);
  const api = apiOf(path, gemini?.[2] ?? '');
  if (request.method === 'POST' && api) {
    const script = decide(READ[api](body));
    if (script.status) return json(response, script.status, scriptedError(script.status));
    const streaming = api === 'gemini' ? /stream/i.test(gemini[2]) : body.stream;
    return WRITE[api](response, script, {...body, model: gemini?.[1] ?? body.model, streaming});
  }
  if (/count_?tokens$/i.test(path)) {
    return json(response, 200, path.includes('count_tokens') ? {input_tokens: 1234} : {totalTokens: 1234});
  }
  if (/embed/i.test(path)) return json(response, 200, {data: [], embeddings: []});
  if (request.method === 'GET' && path.endsWith('/models')) return json(response, 200, modelList());
  return json(response, 404, {
    error: {message: 'the model server has no such endpoint', type: 'not_found_error'},
  });
}

async function bodyOf(request) {
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += chunk;
  try {
    return JSON.parse(text || '{}');
  } catch {
    return {};
  }
}

function apiOf(path, geminiMethod) {
  if (/generateContent/i.test(geminiMethod)) return 'gemini';
  if (path.endsWith('/chat/completions')) return 'chat';
  if (path.endsWith('/responses')) return 'responses';
  return path.endsWith('/messages') ? 'anthropic' : undefined;
}

function scriptedError(status) {
  const limited = status === 429;
  return {
    type: 'error',
    error: {
      type: limited ? 'rate_limit_error' : 'invalid_request_error',
      code: status,
      status: limited ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT',
      message: `mock: scripted error ${status}`,
    },
  };
}

function modelList() {
  const data = MODELS.map((model) => ({
    id: model,
    object: 'model',
    type: 'model',
    display_name: model,
    created: 1,
    created_at: '2026-01-01T00:00:00Z',
    owned_by: 'lab',
  }));
  const models = MODELS.map((model) => ({
    name: `models/${model}`,
    supportedGenerationMethods: ['generateContent'],
  }));
  return {object: 'list', has_more: false, data, models};
}
