import type {DecisionRecord} from '../session/decision-record.ts';
import {commandLine} from './command-line.ts';
import type {HostContext} from './host-context.ts';
import type {Judgement, Wish} from './judge.ts';
import type {Settled} from './permission-desk.ts';

interface Decided extends Pick<DecisionRecord, 'sessionId' | 'method' | 'title' | 'kind'> {
  readonly wish: Wish;
  readonly judgement: Judgement;
  readonly settled: Pick<Settled, 'decision' | 'key' | 'asRule'>;
  /** The rule that was offered. */
  readonly rule?: string | undefined;
}

/** Tells of a decision, and of the rule that it leads to. */
export function record({options}: HostContext, decided: Decided): void {
  const {sessionId, method, title, kind, wish, judgement, settled, rule} = decided;
  const {outcome, option, by} = settled.decision;
  const {command} = wish;
  options.onDecision({
    sessionId,
    method,
    title,
    kind,
    outcome,
    by,
    ...(option !== undefined && {option}),
    ...(settled.key !== undefined && {key: settled.key}),
    ...(judgement.effect === 'ask' && {askedBy: judgement.by}),
    ...(wish.paths.length > 0 && {paths: wish.paths.map(({named, real}) => real ?? named)}),
    ...(command !== undefined && {command: asLine(command)}),
    ...(judgement.unresolved !== undefined && {unresolved: judgement.unresolved}),
  });
  if (settled.asRule && rule !== undefined) options.onRule(rule);
}

function asLine(command: NonNullable<Wish['command']>): string {
  if (typeof command === 'string') return command;
  const [program = '', ...args] = command;
  return commandLine({command: program, args});
}
