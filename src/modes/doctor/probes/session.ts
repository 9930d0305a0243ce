import type {SessionConfigOption} from '@agentclientprotocol/sdk/unstable';
import {attempt, type Verdict} from '../attempt.ts';
import {
  type Probe,
  NO_SESSION,
  skipCheck,
  yesOrNo,
  type Check,
  type Examination,
  type ProbeResults,
} from '../examination.ts';
import {isOffered} from '../../../protocol/capabilities.ts';
import type {Result} from '../../../shared/failure.ts';
import {featureProbe} from './feature.ts';

/** "Creating a Session". */
export const newSession: Probe = async (examination) => {
  const {run, initialized} = examination.found;
  if (!run || !initialized) return [];
  const {check, value} = await attempt(examination, {
    id: 'session/new',
    name: 'opening a session',
    advertised: 'always',
    method: 'session/new',
    work: () => run.connection.newSession(examination.setup),
    judge: ({sessionId}) => (sessionId === '' ? {wrong: 'its ID is empty'} : {}),
  });
  if (value) examination.found.session = value;
  return [check];
};

type Open = Required<Pick<ProbeResults, 'run' | 'session'>>;

const MODES = {id: 'session/set_mode', name: 'modes'} as const;
const OPTIONS = {id: 'session/set_config_option', name: 'options'} as const;

/** "Session Modes", "Session Config Options" and the legacy models: each is set to its current value. */
export const settings: Probe = async (examination) => {
  const {run, session, initialized} = examination.found;
  if (!initialized) return [];
  if (!run || !session)
    return [MODES, OPTIONS].map((subject) => skipCheck({...subject, advertised: 'unspecified'}, NO_SESSION));
  const open = {run, session};
  return [
    await mode(examination, open),
    await model(examination, open),
    await option(examination, open),
  ].flat();
};

async function mode(examination: Examination, {run, session}: Open): Promise<readonly Check[]> {
  const {currentModeId, availableModes = []} = session.modes ?? {};
  const subject = {...MODES, advertised: yesOrNo(availableModes.length > 0)};
  if (currentModeId === undefined) return [skipCheck(subject, '')];
  const {check} = await attempt(examination, {
    ...subject,
    method: 'session/set_mode',
    work: () => run.connection.setMode(session.sessionId, currentModeId),
    judge: () => ({note: availableModes.map(({id}) => id).join(', ')}),
  });
  return [check];
}

/** Not reported if there are none: the protocol no longer has them. */
async function model(examination: Examination, {run, session}: Open): Promise<readonly Check[]> {
  const {models} = session;
  if (!models || models.availableModels.length === 0) return [];
  const {check} = await attempt(examination, {
    id: 'session/set_model',
    name: 'models (old API)',
    advertised: 'yes',
    method: 'session/set_model',
    work: () => run.connection.setModel(session.sessionId, models.currentModelId),
    judge: () => ({note: `${models.availableModels.length} of them`}),
  });
  return [check];
}

async function option(examination: Examination, {run, session}: Open): Promise<readonly Check[]> {
  const options = session.configOptions ?? [];
  const subject = {...OPTIONS, advertised: yesOrNo(options.length > 0)};
  const first = options.find(({type}) => type === 'select' || type === 'boolean');
  if (!first) return [skipCheck(subject, '')];
  const {check} = await attempt(examination, {
    ...subject,
    method: 'session/set_config_option',
    work: () => run.connection.setConfigOption(session.sessionId, first.id, first.currentValue),
    judge: (after) => settingVerdict(first, options, after),
  });
  return [check];
}

/** The response has to be the complete list, with the new value. */
function settingVerdict(
  set: SessionConfigOption,
  before: readonly SessionConfigOption[],
  after: readonly SessionConfigOption[] | undefined,
): Verdict {
  if (!after) return {wrong: 'the answer has no options'};
  const now = after.find(({id}) => id === set.id);
  if (!now) return {wrong: `the answer does not have the option ${set.id}`};
  if (now.currentValue !== set.currentValue)
    return {
      wrong: `${set.id} is ${String(now.currentValue)} after it was set to ${String(set.currentValue)}`,
    };
  return {note: before.map(({id}) => id).join(', ')};
}

const TITLE = 'Examined by acp-tui doctor';

/** `session/set_title`: a requested title. */
export const title = featureProbe({
  id: 'session/set_title',
  name: 'setting a title',
  offered: 'title',
  needs: 'session',
  work: ({connection}, {sessionId}) => connection.setTitle(sessionId, TITLE),
  judge: (stored) => (stored === undefined || stored === TITLE ? {} : {note: `it stored ${stored}`}),
});

/** "Session Info Update": the title from the agent. */
export const ownTitle: Probe = ({found: {run, initialized, answer}}) => {
  const own = {id: 'session_info_update', name: 'its own titles', advertised: 'unspecified'} as const;
  const given = run?.updatesLog.title();
  const check: Check =
    given === undefined
      ? skipCheck(own, answer === undefined ? 'the session has no messages' : 'it reported none')
      : {...own, result: 'worked', note: given};
  return Promise.resolve(initialized ? [check] : []);
};

const CONTENT = [{type: 'text', text: 'This session is an examination; nothing is asked in it.'}];

/** Opens a session with an appended system prompt; whether the model follows it can't be tested. */
export const systemPrompt = featureProbe({
  id: 'system-prompt',
  name: 'system prompt',
  offered: (capabilities) => isOffered(capabilities?.sessionCapabilities?.systemPrompt),
  method: 'session/new',
  needs: 'session',
  async work({connection}, {cwd}): Promise<Result<unknown>> {
    const setup = {cwd, mcpServers: [], systemPrompt: {mode: 'append', content: CONTENT}};
    const opened = await connection.request('session/new', setup);
    return opened.ok ? {ok: true, value: (opened.value as {sessionId?: unknown} | null)?.sessionId} : opened;
  },
  judge: (id) =>
    typeof id === 'string' && id !== ''
      ? {note: 'accepted; its effect on the model is not tested'}
      : {wrong: 'the answer has no session'},
  // Closed and deleted together with the forks.
  keep: (id, {forks}) => forks.push(String(id)),
});

/** `providers/list`: lists the providers, and changes none. */
export const providers = featureProbe({
  id: 'providers/list',
  name: 'model providers',
  offered: (capabilities) => isOffered(capabilities?.providers),
  needs: 'agent',
  work: ({connection}) => connection.request('providers/list', {}),
  judge(answer) {
    const all = (answer as {providers?: unknown} | null)?.providers;
    return Array.isArray(all) ? {note: `${all.length} of them`} : {wrong: 'the answer has no list'};
  },
});

/** Agents do not advertise subagents; they report them once there are some ("Subagents"). */
export const subagents: Probe = ({found: {initialized}}) => {
  const subject = {id: 'subagents', name: 'subagents', advertised: 'unspecified'} as const;
  const note = 'acp-tui shows them once the agent reports some';
  return Promise.resolve(initialized ? [skipCheck(subject, note)] : []);
};
