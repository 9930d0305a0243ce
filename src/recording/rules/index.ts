import type {Finding} from '../describe.ts';
import type {Exchange} from '../exchanges.ts';
import {absolutePaths} from './absolute-paths.ts';
import {answered} from './answered.ts';
import {askedFor} from './asked-for.ts';
import {cancelledPrompt} from './cancelled-prompt.ts';
import {cleanOutput} from './clean-output.ts';
import {finishedToolCalls} from './finished-tool-calls.ts';
import {happeningsOf, type Happening} from './happenings.ts';
import {knownTerminal} from './known-terminal.ts';
import {knownToolCall} from './known-tool-call.ts';
import {knownValues} from './known-values.ts';
import {lineNumbers} from './line-numbers.ts';
import {listedSessions} from './listed-sessions.ts';
import {offeredMethods} from './offered-methods.ts';
import {openSession} from './open-session.ts';
import {permissionChoices} from './permission-choices.ts';
import {requestIds} from './request-ids.ts';
import type {Rule} from './rule.ts';
import {silentResume} from './silent-resume.ts';
import {withinTurn} from './within-turn.ts';

export const RULES: readonly Rule[] = [
  cleanOutput,
  requestIds,
  answered,
  askedFor,
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
 * What breaks a rule, by the index of the line that shows it. An agent process that was not recorded from its `initialize` on is
 * not judged: what came before may be the reason for what comes.
 */
export function brokenRules(exchanges: readonly Exchange[]): ReadonlyMap<number, readonly Finding[]> {
  const found = new Map<number, readonly Finding[]>();
  for (const life of Map.groupBy(exchanges, (exchange) => exchange.life).values()) {
    const happenings = happeningsOf(life);
    if (!isWhole(happenings)) continue;
    for (const {name, page, find} of RULES) {
      for (const {index, text, isLegal = false} of find(happenings)) {
        const kind = isLegal ? 'remark' : 'violation';
        const finding: Finding = {kind, text, line: index + 1, page, rule: name};
        found.set(index, [...(found.get(index) ?? []), finding]);
      }
    }
  }
  return found;
}

/** What an agent prints before it is asked anything does not matter. */
function isWhole(life: readonly Happening[]): boolean {
  const first = life.find(({kind}) => kind !== 'noise');
  return first?.kind === 'request' && first.method === 'initialize';
}
