import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isJsonObject} from '../../text/json.ts';
import {comparableTitle} from '../labels/plain-title.ts';
import {holdsCommand} from './command-fields.ts';
import {runInput} from './run-input.ts';
import {holdsText} from '../../text/diff/occurrences.ts';

/** The parts of a tool call that its request shows. */
export interface Asked {
  readonly title?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly kind?: acp.ToolKind | null | undefined;
  readonly content?: readonly acp.ToolCallContent[] | null | undefined;
  readonly locations?: readonly acp.ToolCallLocation[] | null | undefined;
  readonly rawInput?: unknown;
}

const EFFECT = ['name', 'kind', 'content'] as const;
const CLAIMS = ['locations', 'rawInput'] as const;

/**
 * True if a tool call, after an update, asks for something other than its request shows. What counts is what will happen: its diffs, or its command. Another
 * title, and parts of the same diff in other words, such as a relative path, change nothing; then the request stays as it was shown.
 */
export function asksForOther(before: Asked, now: Asked): boolean {
  const isSame = (part: keyof Asked) => areSame(before[part], now[part]);
  if (!EFFECT.every(isSame)) return true;
  const isSameTitle = comparableTitle(before.title) === comparableTitle(now.title);
  return !(isSameTitle && CLAIMS.every(isSame)) && !repeats(before, now);
}

function areSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** True if a call says nothing about its effect that its request does not show. */
function repeats(before: Asked, now: Asked): boolean {
  const diffs = (before.content ?? []).filter((part) => part.type === 'diff');
  const isSaid = (path: string) =>
    [...diffs, ...(before.locations ?? [])].some((shown) => isSamePath(path, shown.path));
  if (!(now.locations ?? []).every(({path}) => isSaid(path))) return false;
  if (holdsCommand(before) || holdsCommand(now)) return runsSame(before, now);
  if (diffs.length === 0 || !isJsonObject(now.rawInput ?? {})) return false;
  const texts = diffs.flatMap(({oldText, newText}) => [oldText ?? '', newText]);
  const known = isJsonObject(before.rawInput) ? before.rawInput : {};
  return Object.entries(now.rawInput ?? {}).every(
    ([name, value]) =>
      areSame(value, known[name]) ||
      value === false ||
      (typeof value === 'string' && (isSaid(value) || texts.some((text) => holdsText(text, value)))),
  );
}

/** True for the same path, also as a relative one. */
export function isSamePath(path: string, shown: string): boolean {
  return path === shown || (/^[^./~]/.test(path) && !path.includes('..') && shown.endsWith(`/${path}`));
}

function runsSame(before: Asked, now: Asked): boolean {
  const [input, other] = [runInput(before.rawInput), runInput(now.rawInput)];
  if (!input || !other) return false;
  return (['command', 'folder', 'variables', 'isWhole', 'beside'] as const).every((part) =>
    areSame(input[part], other[part]),
  );
}
