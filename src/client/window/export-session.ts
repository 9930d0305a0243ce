import {resolve} from 'node:path';
import type {EffectOf} from '../../app/effects.ts';
import {agentName} from '../../app/status/status-line.ts';
import type {OpenSession} from '../../app/state.ts';
import {documentOf, UNTITLED_SESSION, type SessionFacts} from '../../export/document.ts';
import {EXPORT_FORMATS, formatOfFile, suggestedName} from '../../export/formats.ts';
import type {ExportName} from '../../export/format.ts';
import {maskDocument} from '../../export/mask.ts';
import {createScheduler} from '../../files/scheduler.ts';
import type {Result} from '../../shared/failure.ts';
import {createMask, type Secrets} from '../../storage/mask.ts';
import {writeNewFile} from '../../storage/files.ts';
import {sessionTitle} from '../../session/titles.ts';

type ExportEffect = EffectOf<'export_session'> & {
  readonly format: ExportName | undefined;
};

/** Exports an open session to a file; returns the path. Without a name it gets an unused one in the session's folder. */
export async function exportOpenSession(
  open: OpenSession,
  {format, file, withSecrets}: ExportEffect,
  secrets?: Secrets,
): Promise<Result<string>> {
  const {session} = open;
  const facts = factsOf(open);
  const form = format ? EXPORT_FORMATS[format] : (file && formatOfFile(file)) || EXPORT_FORMATS.markdown;
  const whole = documentOf(session, facts, {exportedAt: Date.now()});
  const pace = createScheduler();
  const document = withSecrets ? whole : await maskDocument(whole, createMask(process.env, secrets), pace);
  const text = await form.write(document, pace);
  if (file !== undefined) return writeNewFile(resolve(session.cwd, file), text);
  return writeNewFile(resolve(session.cwd, suggestedName(facts.title, form)), text, {orNumbered: true});
}

function factsOf(open: OpenSession): SessionFacts {
  const {session, agentLabel, branch} = open;
  const {agent, cwd, additionalDirectories, entries} = session;
  return {
    title: sessionTitle(session) ?? UNTITLED_SESSION,
    agent: {
      label: agentLabel,
      name: agentName(open),
      ...(agent?.version !== undefined && {version: agent.version}),
    },
    cwd,
    additionalDirectories,
    ...(branch !== undefined && {branch}),
    createdAt: entries.at(0)?.at ?? 0,
    updatedAt: entries.at(-1)?.at ?? 0,
  };
}
