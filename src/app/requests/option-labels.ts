import type * as acp from '@agentclientprotocol/sdk/unstable';
import {escapeHiddenLine, onOneLine} from '../../text/hidden.ts';
import {sanitizeLine} from '../../text/sanitize.ts';

interface LabeledOptions {
  readonly options: readonly acp.PermissionOption[];
  /** False for the options of acp-tui's own questions, whose names need no addition. */
  readonly ofAgent: boolean;
}

const kindLabels: Readonly<Record<acp.PermissionOptionKind, string>> = {
  allow_once: 'allow once',
  allow_always: 'allow always',
  reject_once: 'reject once',
  reject_always: 'reject always',
};

/** Returns the label of each answer. The names are the agent's own: those that look the same get the agent's name, kind and id. */
export function optionLabels({options, ofAgent}: LabeledOptions): readonly string[] {
  if (!ofAgent) return options.map(({name}) => name);
  const names = options.map(labelOf);
  const isOnly = (name: string) =>
    names.filter((other) => normalized(other) === normalized(name)).length === 1;
  return options.map((option, index) => {
    const name = names[index] ?? '';
    if (isOnly(name)) return name;
    return `${onOneLine(option.name)} (${kindLabels[option.kind]}, option ${index + 1}, "${escapeHiddenLine(option.optionId)}")`;
  });
}

/** Returns a normalized name, for finding names that look alike. */
function normalized(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

export const FOR_SESSION = 'Allow for this session';

/** True if a label says this and no more, so that what acp-tui allows then can stand in its place. */
export function isForSession(label: string): boolean {
  return /^(?:allow|approve|accept) for (?:this|the) session$/i.test(label);
}

function labelOf({name, kind}: acp.PermissionOption): string {
  const label = sanitizeLine(name);
  const words = kindLabels[kind];
  if (words.startsWith(label.toLowerCase())) return words.charAt(0).toUpperCase() + words.slice(1);
  // What follows a sign such as a colon must not look like what acp-tui says of an option.
  const isClear = saysKind(label.toLowerCase(), kind) && !/ session\s*[^\p{L}\p{N}\s]/iu.test(label);
  return isClear ? label : `${label} (${words})`;
}

const ALLOWS = /\b(?:allow|yes|approve|accept)\b/;
const REJECTS = /\b(?:reject|no|deny|decline)\b/;
const LASTS = /\b(?:always|never|again|sessions?)\b/;

/** True if a name says what an answer of this kind does, and nothing else. */
function saysKind(name: string, kind: acp.PermissionOptionKind): boolean {
  const [does, contrary] = kind.startsWith('allow') ? [ALLOWS, REJECTS] : [REJECTS, ALLOWS];
  return does.test(name) && !contrary.test(name) && LASTS.test(name) === kind.endsWith('always');
}
