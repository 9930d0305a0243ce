import * as zod2 from '../../node_modules/@agentclientprotocol/sdk/dist/v2/unstable/schema/zod.gen.js';
import {type Finding, type FindingsOf, pageOf} from '../recording/describe.ts';
import {messageOf, methodOf, type Exchange, type Message, textOf, updateOf} from '../recording/exchanges.ts';
import {brokenRules} from '../recording/rules/index.ts';
import {type Deviation, normalizeWith, type Normalizer} from './normalize/deviation.ts';
import {MALFORMED, malformedProblem} from './normalize/malformed.ts';
import {DEVIATIONS, readPermission, readUpdate} from './normalize/messages.ts';
import {issuesOf, METHODS, type MethodSchemas} from './schema.ts';
import {isJsonObject} from '../text/json.ts';

/** Returns the findings about each exchange of a recording, alone and in sequence. `exchanges` must be complete. */
export function findingsIn(exchanges: readonly Exchange[]): FindingsOf {
  const broken = brokenRules(exchanges);
  return (exchange) => [
    ...findingsOf(exchange),
    ...(broken.get(exchange.index) ?? []),
    ...(broken.get(exchange.answer?.index ?? -1) ?? []),
  ];
}

/** Returns the findings about the messages of one exchange, found by the real parsers: deviations that are corrected, and violations of the SDK's schemas. */
function findingsOf({index, line, kind, from, method, answer}: Exchange): readonly Finding[] {
  const found: Finding[] = [];
  const reported = new Set<string>();

  const message = messageOf(line);
  const page = pageOf(method, textOf(updateOf(message)['sessionUpdate']));

  let shownBy = index;

  function report(finding: Pick<Finding, 'kind' | 'text'>): void {
    const text = `${finding.kind} ${finding.text}`;
    if (!reported.has(text)) found.push({...finding, line: shownBy + 1, page});
    reported.add(text);
  }
  const violation = (text: string) => report({kind: 'violation', text});
  const normalize: Normalizer = (value, deviations) =>
    normalizeWith(value, deviations, (name) => report({kind: 'corrected', text: name}));

  if (message && kind !== 'answer') {
    const corrected = from === 'agent' ? envelope(message, normalize) : message;
    checkParams(methodOf(corrected), corrected['params'], {correct: normalize, violation, from});
  }
  if (answer) {
    shownBy = answer.index;
    const corrected = from === 'client' ? envelope(answer.message, normalize) : answer.message;
    if (corrected['error'] === undefined) {
      const result =
        from === 'client' ? normalize(corrected['result'], DEVIATIONS.results[method]) : corrected['result'];
      for (const text of violations(method, 'result', result ?? {})) violation(text);
    }
  }
  return found;
}

interface Tools {
  readonly correct: Normalizer;
  readonly violation: (text: string) => void;
  readonly from: Exchange['from'];
}

function checkParams(method: string, params: unknown, {correct: normalize, violation, from}: Tools): void {
  if (from === 'agent' && method === 'session/update') {
    readUpdate(params, normalize, (_level, text) => violation(text));
    return;
  }
  if (from === 'agent' && method === MALFORMED) violation(malformedProblem(params));
  if (from === 'agent' && method === 'session/request_permission')
    readSafely(() => readPermission(params, normalize));
  const deviations: readonly Deviation[] | undefined =
    from === 'agent' ? DEVIATIONS.requests[method] : undefined;
  for (const text of violations(method, 'params', normalize(params ?? {}, deviations))) violation(text);
}

/** Errors it throws are also found by the schema. */
function readSafely(read: () => unknown): void {
  try {
    read();
  } catch {
    return;
  }
}

function envelope(message: Message, normalize: Normalizer): Message {
  const corrected = normalize(message, DEVIATIONS.envelope);
  return isJsonObject(corrected) ? corrected : message;
}

/** The parsers of each method of both versions. */
const SCHEMAS: Readonly<Record<string, MethodSchemas>> = {
  ...METHODS,
  'auth/login': {params: zod2.zLoginAuthRequest, result: zod2.zLoginAuthResponse},
  'auth/logout': {params: zod2.zLogoutAuthRequest, result: zod2.zLogoutAuthResponse},
  'tool_call/cancel': {params: zod2.zCancelToolCallRequest, result: zod2.zCancelToolCallResponse},
  'terminal/cancel': {params: zod2.zCancelTerminalRequest, result: zod2.zCancelTerminalResponse},
};

/** Returns how a value violates the schema of a method; empty for methods outside the protocol. */
function violations(method: string, part: 'params' | 'result', value: unknown): readonly string[] {
  const schemas = Object.hasOwn(SCHEMAS, method) ? SCHEMAS[method] : undefined;
  const parsed = schemas?.[part]?.safeParse(value);
  return !parsed || parsed.success ? [] : issuesOf(parsed.error, part);
}
