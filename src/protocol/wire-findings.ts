import {type Finding, type FindingsOf, pageOf} from '../recording/describe.ts';
import {messageOf, methodOf, type Exchange, type Message, fieldsOf, textOf} from '../recording/exchanges.ts';
import {brokenRules} from '../recording/rules/index.ts';
import {isFields, type Deviation} from './normalise/deviation.ts';
import {ENVELOPE, REQUESTS, RESULTS} from './normalise/deviations.ts';
import {mendWith, type Mender} from './normalise/mender.ts';
import {readPermission} from './normalise/permission.ts';
import {readUpdate} from './normalise/update.ts';
import {violations} from './schema-by-method.ts';

/**
 * Tells what is wrong with each exchange of a recording: by itself, and in the order in which they came. `exchanges` are all that
 * there are.
 */
export function findingsIn(exchanges: readonly Exchange[]): FindingsOf {
  const broken = brokenRules(exchanges);
  return (exchange) => [
    ...findingsOf(exchange),
    ...(broken.get(exchange.index) ?? []),
    ...(broken.get(exchange.answer?.index ?? -1) ?? []),
  ];
}

/**
 * What is wrong with the messages of an exchange, found by what reads them: which deviations of the agent are mended, and where
 * the message does not follow the SDK's schemas.
 */
function findingsOf({index, line, kind, from, method, answer}: Exchange): readonly Finding[] {
  const found: Finding[] = [];
  const told = new Set<string>();

  const message = messageOf(line);
  const page = pageOf(method, textOf(fieldsOf(fieldsOf(message?.['params'])['update'])['sessionUpdate']));

  let shownBy = index;

  function tell(finding: Pick<Finding, 'kind' | 'text'>): void {
    const text = `${finding.kind} ${finding.text}`;
    if (!told.has(text)) found.push({...finding, line: shownBy + 1, page});
    told.add(text);
  }
  const violation = (text: string) => tell({kind: 'violation', text});
  const mend: Mender = (value, deviations) =>
    mendWith(value, deviations, (name) => tell({kind: 'mended', text: name}));

  if (message && kind !== 'answer') {
    const mended = from === 'agent' ? envelope(message, mend) : message;
    checkParams(methodOf(mended), mended['params'], {mend, violation, from});
  }
  if (answer) {
    shownBy = answer.index;
    const mended = from === 'client' ? envelope(answer.message, mend) : answer.message;
    if (mended['error'] === undefined) {
      const result = from === 'client' ? mend(mended['result'], RESULTS[method]) : mended['result'];
      for (const text of violations(method, 'result', result ?? {})) violation(text);
    }
  }
  return found;
}

interface Tools {
  readonly mend: Mender;
  readonly violation: (text: string) => void;
  readonly from: Exchange['from'];
}

function checkParams(method: string, params: unknown, {mend, violation, from}: Tools): void {
  if (from === 'agent' && method === 'session/update') {
    readUpdate(params, mend, (_level, text) => violation(text));
    return;
  }
  if (from === 'agent' && method === 'session/request_permission')
    readSafely(() => readPermission(params, mend));
  const deviations: readonly Deviation[] | undefined = from === 'agent' ? REQUESTS[method] : undefined;
  for (const text of violations(method, 'params', mend(params ?? {}, deviations))) violation(text);
}

/** What it throws is found by the schema as well. */
function readSafely(read: () => unknown): void {
  try {
    read();
  } catch {
    return;
  }
}

function envelope(message: Message, mend: Mender): Message {
  const mended = mend(message, ENVELOPE);
  return isFields(mended) ? mended : message;
}
