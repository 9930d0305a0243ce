import {
  signInWayOf,
  type AuthMethod,
  type SignInProgram,
  type SignInWay,
  authStatusLabel,
} from '../../shared/authentication.ts';
import {signInCommandLine} from '../../session/labels/labels.ts';
import {callAction} from '../effects.ts';
import {pickerOf, type ListItem} from '../pickers/picker.ts';
import type {Tab, Picker} from '../state.ts';

const restartItem: ListItem = {
  id: 'restart',
  label: 'Restart the agent',
  description: "After signing in with the agent's own program.",
  choose: ({tab: {key}}) => callAction(key, 'restart'),
};

type SignInState = Pick<Tab, 'session' | 'agentLabel' | 'agentProgram'>;

interface SignInList {
  readonly title: string;
  readonly note?: string | undefined;
  /** The user opened the list; no sign-in is required. */
  readonly byUser?: true;
}

/** Returns the list of the agent's sign-in methods. */
export function signInPicker(open: SignInState, {title, note, byUser}: SignInList): Picker {
  const {agent, connection} = open.session;
  const program = {...(open.agentProgram ?? {command: open.agentLabel, args: []}), env: {}};
  const methods =
    connection.kind === 'authentication_required' ? connection.methods : (agent?.authMethods ?? []);
  const status = authStatusLabel(agent?.authStatus);
  return pickerOf({
    purpose: {kind: 'authenticate', ...(byUser && {byUser})},
    title,
    note: [note, status && `The agent says: ${status}.`].filter(Boolean).join(' ') || undefined,
    items: withPrograms([...methods.map((method) => methodItem(method, program)), restartItem]),
  });
}

function methodItem(method: AuthMethod, agent: SignInProgram): ListItem {
  const {id, name, description} = method;
  const way = signInWayOf(method, agent);
  const explanation = takes(way, agent);
  return {
    id: `method ${id}`,
    label: name || id,
    description: [description, explanation].filter(Boolean).join(' · ') || undefined,
    ...(way.kind === 'terminal' && {preview: explanation}),
    disabled: way.kind === 'unknown' ? `Sign-in type "${way.name}" is not supported.` : undefined,
    choose: ({tab: {key}}) => callAction(key, 'authenticate', id),
  };
}

/** If there are programs, the selected one is shown in full below: the command must not be cut off. */
function withPrograms(items: readonly ListItem[]): readonly ListItem[] {
  if (items.every(({preview}) => preview === undefined)) return items;
  return items.map((item) => ({preview: item.description ?? '', ...item}));
}

/** What the user has to do, unless the agent's description says it. */
function takes(way: SignInWay, agent: SignInProgram): string | undefined {
  switch (way.kind) {
    case 'terminal':
      return `runs ${signInCommandLine(way.program, agent)}`;
    case 'env_var':
      return `asks for ${way.method.vars.map(({name}) => name).join(', ')}`;
    case 'agent':
    case 'unknown':
      return undefined;
  }
}
