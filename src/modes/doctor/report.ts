import type {AgentCapabilities} from '@agentclientprotocol/sdk/unstable';
import {quoteAgentText} from '../../shared/agent-text.ts';
import {quirksOf, describeQuirks} from '../../agents/quirks.ts';
import {findingsIn} from '../../protocol/wire-findings.ts';
import {exchangesOf} from '../../recording/exchanges.ts';
import {PAGES, type Finding} from '../../recording/describe.ts';
import type {RecordingLine} from '../../recording/format.ts';
import type {Check, ExaminationOptions} from './examination.ts';
import type {ExaminationResults} from './examine.ts';

/** The results of an examination: the format of `acp-tui doctor --json`, see docs/scripts.md. */
export interface Report {
  readonly v: 1;
  readonly type: 'doctor';
  readonly agent: {
    readonly label: string;
    readonly command: string;
    readonly args: readonly string[];
    /** Null if the agent does not report it. */
    readonly name: string | null;
    readonly title: string | null;
    readonly version: string | null;
    readonly protocolVersion: number | null;
    readonly capabilities: AgentCapabilities | null;
    readonly authMethods: readonly string[];
  };
  readonly checks: readonly ReportedCheck[];
  readonly violations: readonly Problem[];
  /** Deviations that acp-tui corrects before anything else reads the message. */
  readonly corrected: readonly Problem[];
  /** What the protocol allows, but clients may fail on. */
  readonly remarks: readonly Problem[];
  /** acp-tui's known quirks of this agent. */
  readonly quirks: readonly string[];
  readonly interrupted: boolean;
  readonly exitCode: number;
  readonly durationMs: number;
}

export type ReportedCheck = Required<Pick<Check, 'id' | 'name' | 'advertised' | 'result'>> & {
  readonly ms: number | null;
  readonly note: string | null;
};

/** A problem, however often it occurred. */
export interface Problem {
  readonly text: string;
  /** Null if a message violates its schema, or was corrected. */
  readonly rule: string | null;
  readonly page: string | null;
  readonly count: number;
  /** The first message, or printed text, that shows it. */
  readonly message: unknown;
}

/** Summarizes the results. `signalCode` is the exit code of the signal that ended the examination. */
export function createReport(
  {agent}: Pick<ExaminationOptions, 'agent'>,
  examined: ExaminationResults,
  {signalCode}: {readonly signalCode: number | undefined},
): Report {
  const {checks, found, lines, interrupted, durationMs} = examined;
  const {initialized} = found;
  const {agentInfo} = initialized ?? {};
  const {label, command, args} = agent;
  const exchanges = exchangesOf(lines);
  const findingsOf = findingsIn(exchanges);
  const findings = exchanges.flatMap((exchange) => findingsOf(exchange));
  const problems = (kind: Finding['kind']) => problemsIn(findings, {kind, lines});
  const report = {
    v: 1 as const,
    type: 'doctor' as const,
    agent: {
      label,
      command,
      args,
      name: agentInfo?.name ?? null,
      title: agentInfo?.title ?? null,
      version: agentInfo?.version ?? null,
      protocolVersion: initialized?.protocolVersion ?? null,
      capabilities: initialized?.agentCapabilities ?? null,
      authMethods: (initialized?.authMethods ?? []).map(({id}) => id),
    },
    checks: checks.map(reported),
    violations: problems('violation'),
    corrected: problems('corrected'),
    remarks: problems('remark'),
    quirks: describeQuirks(quirksOf(agentInfo?.name)),
    interrupted,
    durationMs,
  };
  const exitCode =
    signalCode ?? exitCodeOf(report, {needsSignIn: found.signIn !== undefined && !found.session});
  return {...report, exitCode};
}

/** Maximum length of a note in UTF-16 units: recordings have the complete text. */
const MAX_NOTE_LENGTH = 1000;

function reported({id, name, advertised, result, ms, note = ''}: Check): ReportedCheck {
  const line = quoteAgentText(note.replace(/\s+/g, ' ').trim(), MAX_NOTE_LENGTH);
  return {id, name, advertised, result, ms: ms ?? null, note: line === '' ? null : line};
}

/** 3 before 6 before 1: a missing response and a required sign-in cause other failures. */
function exitCodeOf(
  {checks, violations, corrected}: Pick<Report, 'checks' | 'violations' | 'corrected'>,
  {needsSignIn}: {readonly needsSignIn: boolean},
): number {
  if (checks.some(({result}) => result === 'timeout')) return 3;
  if (needsSignIn) return 6;
  const isBroken = checks.some(({result, advertised}) => result === 'failed' && advertised !== 'unspecified');
  return isBroken || violations.length > 0 || corrected.length > 0 ? 1 : 0;
}

/** Returns findings of a kind, grouped by message. */
function problemsIn(
  findings: readonly Finding[],
  {kind, lines}: {readonly kind: Finding['kind']; readonly lines: readonly RecordingLine[]},
): readonly Problem[] {
  const groups = Map.groupBy(
    findings.filter((finding) => finding.kind === kind),
    ({rule, text, page}) => `${rule ?? text} ${page ?? ''}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const {text, rule = null, page, line} = first;
    const shown = lines[line - 1];
    const message = shown && ('m' in shown ? shown.m : 'text' in shown ? shown.text : null);
    return [
      {
        text,
        rule,
        page: page === undefined ? null : PAGES + page,
        count: group.length,
        message: message ?? null,
      },
    ];
  });
}
