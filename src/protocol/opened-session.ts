import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {OpenedSession} from '../session/events.ts';
import type {LegacyModels} from '../session/state.ts';
import {isFields} from './normalise/deviation.ts';
import {loadSessionResponse, newSessionResponse} from './schema.ts';

/** What we told the agent of it. */
type Place = Pick<OpenedSession, 'cwd' | 'additionalDirectories' | 'mcpServers'>;

/**
 * Reads the result of opening a session. `sessionId` is the one that was asked for; without it the result names one, or a
 * ZodError is thrown. An agent may answer `null` where it has nothing to say.
 */
export function openedSession(result: unknown, place: Place, asked?: acp.SessionId): OpenedSession {
  const {sessionId, modes, configOptions} =
    asked === undefined
      ? newSessionResponse.parse(result)
      : {...loadSessionResponse.parse(result ?? {}), sessionId: asked};
  // Not in the schema any more, which would strip it.
  const models = isFields(result) ? legacyModels(result['models']) : undefined;
  const greeting = greetingIn(result);
  return {
    sessionId,
    ...(greeting !== undefined && {greeting}),
    ...place,
    ...(modes !== undefined && {modes}),
    ...(models !== undefined && {models}),
    ...(configOptions !== undefined && {configOptions}),
  };
}

function greetingIn(result: unknown): string | undefined {
  const meta = isFields(result) ? result['_meta'] : undefined;
  const pi = isFields(meta) ? meta['piAcp'] : undefined;
  const text = isFields(pi) ? pi['startupInfo'] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The `models` block of before the config options; undefined where it is missing or not in its old shape. */
function legacyModels(value: unknown): LegacyModels | undefined {
  if (!isFields(value) || !Array.isArray(value['availableModels'])) return undefined;
  const availableModels = value['availableModels']
    .filter(isFields)
    .flatMap(({modelId, name, description}) => {
      if (typeof modelId !== 'string') return [];
      const text = typeof description === 'string' ? {description} : {};
      return [{modelId, name: typeof name === 'string' ? name : modelId, ...text}];
    });
  const {currentModelId} = value;
  return {availableModels, currentModelId: typeof currentModelId === 'string' ? currentModelId : ''};
}
