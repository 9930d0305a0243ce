import type {Finding} from '../describe.ts';
import type {Exchange} from '../exchanges.ts';
import {absolutePaths, knownValues, lineNumbers} from './value-rules.ts';
import {unansweredRequest, strayResponse, cleanOutput, offeredMethods, requestIds} from './envelope-rules.ts';
import {cancelledPrompt, permissionChoices, withinTurn} from './turn-rules.ts';
import {finishedToolCalls, knownTerminal, knownToolCall} from './tool-call-rules.ts';
import {protocolEventsOf, type ProtocolEvent, type Rule} from './rule.ts';
import {listedSessions, openSession, silentResume} from './session-rules.ts';

const RULES: readonly Rule[] = [
  cleanOutput,
  requestIds,
  unansweredRequest,
  strayResponse,
  offeredMethods,
  openSession,
  silentResume,
  listedSessions,
  knownValues,
  withinTurn,
  cancelledPrompt,
  knownToolCall,
  finishedToolCalls,
  knownTerminal,
  permissionChoices,
  absolutePaths,
  lineNumbers,
];

/**
 * Returns violations by the index of the line that shows them. Processes that were not recorded from `initialize` on are skipped: the cause may precede the
 * recording.
 */
export function brokenRules(exchanges: readonly Exchange[]): ReadonlyMap<number, readonly Finding[]> {
  const found = new Map<number, readonly Finding[]>();
  for (const exchangesOfRun of Map.groupBy(exchanges, (exchange) => exchange.run).values()) {
    const events = protocolEventsOf(exchangesOfRun);
    if (!isWhole(events)) continue;
    const rules = isVersion2(events) ? RULES.filter(({isOfVersion1}) => !isOfVersion1) : RULES;
    for (const {name, page, find} of rules) {
      for (const {index, text, isLegal = false} of find(events)) {
        const kind = isLegal ? 'remark' : 'violation';
        const finding: Finding = {kind, text, line: index + 1, page, rule: name};
        found.set(index, [...(found.get(index) ?? []), finding]);
      }
    }
  }
  return found;
}

/** Output before the first request does not matter. */
function isWhole(events: readonly ProtocolEvent[]): boolean {
  const first = events.find(({kind}) => kind !== 'noise');
  return first?.kind === 'request' && first.method === 'initialize';
}

function isVersion2(events: readonly ProtocolEvent[]): boolean {
  return events.some(
    (event) =>
      event.kind === 'answer' && event.method === 'initialize' && event.result?.['protocolVersion'] === 2,
  );
}
