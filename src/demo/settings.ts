import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {DemoSession} from './session.ts';

const MODES: acp.SessionMode[] = [
  {id: 'ask', name: 'Ask', description: 'Asks before it writes a file or runs a command'},
  {id: 'auto', name: 'Auto', description: 'Writes and runs without asking'},
  {id: 'look', name: 'Look only', description: 'Reads, but neither writes nor runs anything'},
];

const MODELS = [
  {value: 'demo-small', name: 'Demo small', description: 'Scripted answers'},
  {
    value: 'demo-large',
    name: 'Demo large',
    description: 'The same scripted answers, pretending to cost more',
  },
];

/** "Session Modes", for clients without config options; both are kept in sync. */
export function modes(session: DemoSession): acp.SessionModeState {
  return {currentModeId: session.mode, availableModes: MODES};
}

/** "Session Config Options"; boolean ones only for clients that support them. */
export function configOptions(
  session: DemoSession,
  client: acp.ClientCapabilities,
): acp.SessionConfigOption[] {
  const options: acp.SessionConfigOption[] = [
    {
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue: session.mode,
      options: MODES.map(({id, name, description}) => ({value: id, name, description: description ?? null})),
    },
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: session.model,
      options: MODELS,
    },
  ];
  if (client.session?.configOptions?.boolean) {
    options.push({
      id: 'thoughts',
      name: 'Show thoughts',
      category: 'thought_level',
      description: 'Whether the demo agent thinks aloud',
      type: 'boolean',
      currentValue: session.thoughts,
    });
  }
  return options;
}

export function setMode(session: DemoSession, modeId: string): void {
  if (!MODES.some((mode) => mode.id === modeId)) throw RequestError.invalidParams({modeId}, 'no such mode');
  session.mode = modeId;
}

export function setOption(session: DemoSession, configId: string, value: string | boolean): void {
  if (configId === 'mode') setMode(session, String(value));
  else if (configId === 'thoughts' && typeof value === 'boolean') session.thoughts = value;
  else if (configId === 'model' && MODELS.some((model) => model.value === value))
    session.model = String(value);
  else throw RequestError.invalidParams({configId, value}, 'no such option or value');
}
