import type {PermissionOption, PermissionOptionKind} from '@agentclientprotocol/sdk/unstable';
import {mapItems, type Deviation} from './deviation.ts';
import {isJsonObject} from '../../text/json.ts';

/** From the narrowest yes to the widest no. */
const KNOWN: Readonly<Record<PermissionOptionKind, true>> = {
  allow_once: true,
  allow_always: true,
  reject_once: true,
  reject_always: true,
};

/** Sorts options from the narrowest yes to the widest no, so that 1 means the same for every agent; those of one kind keep their order. */
export function fromNarrowest(options: readonly PermissionOption[]): PermissionOption[] {
  return Object.keys(KNOWN).flatMap((kind) => options.filter((option) => option.kind === kind));
}

/** Options of a kind unknown to the schema, or without a name: the SDK would reject the whole request, and the agent would never get an answer. */
export const permissionOptions: Deviation = {
  name: 'permission-options',
  fix(request) {
    const {options} = request;
    if (options === null || options === undefined) return {...request, options: []};
    if (!Array.isArray(options)) return request;
    const corrected = mapItems(options, option);
    return corrected === options ? request : {...request, options: corrected};
  },
};

function option(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const {kind, name, optionId} = value;
  const knowsKind = typeof kind === 'string' && Object.hasOwn(KNOWN, kind);
  if (knowsKind && typeof name === 'string') return value;
  return {
    ...value,
    kind: knowsKind ? kind : nearest(kind),
    name: typeof name === 'string' ? name : String(optionId),
  };
}

/** Policies choose only `allow_once` and `reject_once`, so only unambiguous kinds map to these. */
function nearest(kind: unknown): PermissionOptionKind {
  if (kind === 'allow') return 'allow_once';
  if (kind === 'reject' || kind === 'deny') return 'reject_once';
  return typeof kind === 'string' && /reject|deny|refuse|cancel|abort/i.test(kind)
    ? 'reject_always'
    : 'allow_always';
}

/** A permission request without a tool call: the user is asked anyway, with its JSON. */
export const permissionToolCall: Deviation = {
  name: 'permission-tool-call',
  fix(request) {
    const toolCall = isJsonObject(request['toolCall']) ? request['toolCall'] : {};
    const {toolCallId} = toolCall;
    if (typeof toolCallId === 'string' || typeof toolCallId === 'number') return request;
    return {...request, toolCall: {...toolCall, toolCallId: 'unnamed'}};
  },
};
