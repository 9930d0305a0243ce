import type {PlanEntryPriority, PlanEntryStatus} from '@agentclientprotocol/sdk/unstable';
import {INTERRUPTION} from '../../session/labels/labels.ts';
import {withPlanPath, withSentStatus} from '../../session/transcript/patches.ts';
import {type Deviation, mapItems} from './deviation.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

/** A `session/update` with its fields next to the session's id instead of in `update`. */
export const flatUpdate: Deviation = {
  name: 'flat-update',
  fix(params) {
    if (isJsonObject(params['update']) || typeof params['sessionUpdate'] !== 'string') return params;
    const {sessionId, ...update} = params;
    return {sessionId, update};
  },
};

const INTERRUPTED = /^\s*\[Request interrupted by user(?: for tool use)?\]\s*$/;

/** The message that Claude stores as the user's after a cancelled turn (fixtures/wire/claude-attachment-load.ndjson). */
export const interruption: Deviation = {
  name: 'interruption',
  fix(params) {
    const {update} = params;
    if (!isJsonObject(update) || update['sessionUpdate'] !== 'user_message_chunk') return params;
    const {content} = update;
    if (!isJsonObject(content) || typeof content['text'] !== 'string' || !INTERRUPTED.test(content['text']))
      return params;
    return {...params, update: {sessionUpdate: 'notice', severity: 'info', title: INTERRUPTION}};
  },
};

/** A message chunk whose content is a string, or a text block without `type`. */
export const chunkContent: Deviation = {
  name: 'chunk-content',
  fix(update) {
    const {content} = update;
    if (typeof content === 'string') return {...update, content: {type: 'text', text: content}};
    if (isJsonObject(content) && content['type'] === undefined && typeof content['text'] === 'string')
      return {...update, content: {...content, type: 'text'}};
    return update;
  },
};

/** `current_mode_update` with `modeId`, as on the protocol's page about modes; the schema has `currentModeId`. */
export const modeId: Deviation = {
  name: 'mode-id',
  fix: (update) =>
    update['currentModeId'] === undefined && typeof update['modeId'] === 'string'
      ? {...update, currentModeId: update['modeId']}
      : update,
};

/** Commands whose name starts with a slash, or that have no description, or that are not a list. */
export const commands: Deviation = {
  name: 'commands',
  fix(update) {
    const {availableCommands} = update;
    if (availableCommands === undefined) return {...update, availableCommands: []};
    if (!Array.isArray(availableCommands)) return update;
    const corrected = mapItems(availableCommands, command);
    return corrected === availableCommands ? update : {...update, availableCommands: corrected};
  },
};

function command(value: unknown): unknown {
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return value;
  const {name, description} = value;
  if (!name.startsWith('/') && typeof description === 'string') return value;
  return {
    ...value,
    name: name.replace(/^\//, ''),
    description: typeof description === 'string' ? description : '',
  };
}

const PRIORITIES: Readonly<Record<PlanEntryPriority, true>> = {high: true, medium: true, low: true};
const STATUSES: Readonly<Record<PlanEntryStatus, true>> = {pending: true, in_progress: true, completed: true};

/** What other statuses mean for the schema's; of a step that was given up, its text says so. */
const GIVEN_UP: ReadonlySet<unknown> = new Set(['skipped', 'failed', 'abandoned']);
const DONE: ReadonlySet<unknown> = new Set(['complete', 'done']);

/** A plan without entries, or entries whose priority or status is missing or unknown to the schema, also in `plan_update`. */
export const planEntries: Deviation = {
  name: 'plan-entries',
  fix(plan) {
    const {plan: inner} = plan;
    if (isJsonObject(inner)) {
      const fixed = inner['type'] === 'items' ? planEntries.fix(inner) : inner;
      return fixed === inner ? plan : {...plan, plan: fixed};
    }
    const {entries} = plan;
    if (entries === undefined) return {...plan, entries: []};
    if (!Array.isArray(entries)) return plan;
    const corrected = mapItems(entries, entry);
    return corrected === entries ? plan : {...plan, entries: corrected};
  },
};

function entry(value: unknown): unknown {
  if (typeof value === 'string') return {content: value, priority: 'medium', status: 'pending'};
  if (!isJsonObject(value)) return value;
  const knowsPriority = isKeyOf(PRIORITIES, value['priority']);
  const knowsStatus = isKeyOf(STATUSES, value['status']);
  if (knowsPriority && knowsStatus) return value;
  return {
    ...value,
    priority: knowsPriority ? value['priority'] : 'medium',
    ...(!knowsStatus && withNearestStatus(value)),
  };
}

function withNearestStatus({content, status, _meta}: JsonObject): JsonObject {
  if (status === 'cancelled' || status === 'canceled')
    return withSentStatus({content, status: 'completed', _meta}, 'cancelled');
  if (GIVEN_UP.has(status)) return {status: 'completed', content: `${String(content)} (${String(status)})`};
  return {status: DONE.has(status) ? 'completed' : 'pending'};
}

function isKeyOf(keys: object, value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(keys, value);
}

/** `plan_update` and `plan_removed` with `id`, as in the proposal; the draft schema has `planId`. */
export const planId: Deviation = {
  name: 'plan-id',
  fix(update) {
    if (update['sessionUpdate'] === 'plan_removed') return renamed(update);
    const {plan} = update;
    if (!isJsonObject(plan)) return update;
    const corrected = renamed(plan);
    return corrected === plan ? update : {...update, plan: corrected};
  },
};

function renamed(fields: JsonObject): JsonObject {
  const {id} = fields;
  return fields['planId'] === undefined && typeof id === 'string' ? {...fields, planId: id} : fields;
}

/** `terminal/create` with its environment as an object instead of a list of names and values. */
export const terminalEnv: Deviation = {
  name: 'terminal-env',
  fix: (request) =>
    isJsonObject(request['env'])
      ? {
          ...request,
          env: Object.entries(request['env']).map(([name, value]) => ({name, value: String(value)})),
        }
      : request,
};

/** `plan_update` with the `path` of the file that a Markdown plan is in, which the schema does not have yet. */
export const planPath: Deviation = {
  name: 'plan-path',
  fix(update) {
    const {plan} = update;
    if (!isJsonObject(plan) || plan['type'] !== 'markdown' || typeof plan['path'] !== 'string') return update;
    return {...update, plan: withPlanPath(plan, plan['path'])};
  },
};
