import {resolve} from 'node:path';
import type {EffectOf} from '../app/effects.ts';
import {agentName} from '../app/status/status-line.ts';
import type {Tab} from '../app/state.ts';
import {documentOf, UNTITLED_SESSION, type SessionFacts} from '../export/document.ts';
import {EXPORT_FORMATS, formatOfFile, suggestedName} from '../export/formats.ts';
import type {ExportName} from '../export/format.ts';
import {maskDocument} from '../export/mask.ts';
import {createScheduler} from '../shared/scheduler.ts';
import type {Result} from '../shared/failure.ts';
import {createMask, createMaskDeep, type Secrets} from '../shared/mask.ts';
import {writeNewFile} from '../shared/files/safe-files.ts';
import {sessionTitle} from '../session/titles.ts';
import {messageOf, methodOf, recordingText} from '../recording/exchanges.ts';
import type {RecordingLine} from '../recording/format.ts';
import {linesOfSession} from '../recording/session-lines.ts';

type ExportEffect = EffectOf<'export_session'> & {
  readonly format: ExportName | undefined;
};

/** Exports an open session to a file; returns the path. Without a name it gets an unused one in the session's folder. */
export async function exportOpenSession(
  tab: Tab,
  {format, file, withSecrets}: ExportEffect,
  secrets?: Secrets,
): Promise<Result<string>> {
  const {session} = tab;
  const facts = factsOf(tab);
  const form = format ? EXPORT_FORMATS[format] : (file && formatOfFile(file)) || EXPORT_FORMATS.markdown;
  const whole = documentOf(session, facts, {exportedAt: Date.now()});
  const pace = createScheduler();
  const document = withSecrets ? whole : await maskDocument(whole, createMask(process.env, secrets), pace);
  const text = await form.write(document, pace);
  if (file !== undefined) return writeNewFile(resolve(session.cwd, file), text);
  return writeNewFile(resolve(session.cwd, suggestedName(facts.title, form)), text, {orNumbered: true});
}

function factsOf(tab: Tab): SessionFacts {
  const {session, agentLabel, branch} = tab;
  const {agent, cwd, additionalDirectories, entries} = session;
  return {
    title: sessionTitle(session) ?? UNTITLED_SESSION,
    agent: {
      label: agentLabel,
      name: agentName(tab),
      ...(agent?.version !== undefined && {version: agent.version}),
    },
    cwd,
    additionalDirectories,
    ...(branch !== undefined && {branch}),
    createdAt: entries.at(0)?.at ?? 0,
    updatedAt: entries.at(-1)?.at ?? 0,
  };
}

interface WireOfWindow {
  /** The stored protocol messages of the window. */
  readonly lines: readonly RecordingLine[];
  readonly secrets: Secrets | undefined;
}

/** Writes a session's protocol messages to a file, as `--record` does; returns the path, and whether the beginning is included. */
export async function exportRecording(
  {session}: Tab,
  {file, withSecrets}: EffectOf<'export_session'>,
  {lines, secrets}: WireOfWindow,
): Promise<Result<{readonly path: string; readonly isWhole: boolean}>> {
  const own = linesOfSession(lines, session.sessionId ?? '');
  const why = 'no messages in memory; --record keeps everything';
  if (own.length === 0) return {ok: false, failure: {kind: 'not_offered', what: 'a recording', why}};
  const maskDeep = createMaskDeep(process.env, secrets);
  const text = recordingText(withSecrets ? own : own.map((line) => maskDeep(line)));
  const named = suggestedName(sessionTitle(session) ?? UNTITLED_SESSION, {extension: 'ndjson'});
  const written = await writeNewFile(resolve(session.cwd, file ?? named), text, {
    orNumbered: file === undefined,
  });
  return written.ok
    ? {
        ok: true,
        value: {path: written.value, isWhole: own.some((line) => methodOf(messageOf(line)) === 'initialize')},
      }
    : written;
}
