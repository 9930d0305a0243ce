import {ago} from '../../text/format.ts';
import {emitEvent, perform, combine, type Reaction} from '../effects.ts';
import {activeSession} from '../sessions.ts';
import {changeList, openPicker, pickerOf, withItems, type ListItem, type PickerSelection} from './picker.ts';
import type {AppState, Picker, SessionKey, Tab} from '../state.ts';
import type {RegistryView, AgentList, AgentRow} from './listings.ts';

/** Opens the list of agents, which fills as they are found. */
export function showAgents({
  filter = '',
  isFirst = false,
  handsOver,
}: {filter?: string; isFirst?: boolean; handsOver?: SessionKey} = {}): Reaction {
  const another = handsOver === undefined ? 'New session with another agent' : 'Continue with another agent';
  const title = isFirst ? 'Which agent?' : another;
  const purpose = {kind: 'agents', isFirst, ...(handsOver && {handsOver})} as const;
  const picker = {...pickerOf({purpose, title, items: []}), ...(isFirst && {closing: 'demo'}), filter};
  return combine(openPicker(picker), perform({kind: 'find_agents', ask: 'if_allowed'}));
}

/** More items arrived; filter and selection are kept. */
export function withAgents(state: AppState, list: AgentList): AppState {
  return changeList(state, 'agents', (picker) => {
    const {handsOver, isFirst} = picker.purpose;
    if (isFirst) return withItems(picker, firstItemsOf(list));
    return withItems(picker, [...itemsOf(list), ...(handsOver ? [] : handoffItems(activeSession(state)))]);
  });
}

/** True while no agent was ever selected, and something is to be: then there is nobody to write to. */
export function choosesFirstAgent(state: AppState): boolean {
  const {connection, unused} = activeSession(state).session;
  return connection.kind === 'closed' && unused && state.overlay.kind === 'picker';
}

/** The list at the first start: what works without a network first, and each row says only what helps to choose. */
function firstItemsOf({rows, registry, address}: AgentList): readonly ListItem[] {
  const isReady = ({id, canStart}: AgentRow) => id === 'demo' || canStart;
  const ready = rows
    .filter(isReady)
    .toSorted((one, other) => Number(other.id === 'demo') - Number(one.id === 'demo'));
  const install = rows.filter((row) => !isReady(row));
  const {label, description, disabled} = askItem(registry, address);
  const more =
    registry.kind === 'not_asked'
      ? {label: 'More', description: 'searches the ACP registry'}
      : {label, description, disabled};
  return [
    ...ready.map((row) => firstItem(row, 'Ready')),
    ...install.map((row) => firstItem(row, 'Install')),
    {...registryItem, group: 'Install', isLastResort: true, ...more},
  ];
}

function firstItem({id, name, about, missing}: AgentRow, group: string): ListItem {
  const description = missing || about;
  return {id, label: name, description, group, choose: () => perform({kind: 'choose_agent', id})};
}

const registryItem = {
  // Not a valid agent name: those start with a letter or a digit.
  id: '?registry',
  choose: () => perform({kind: 'find_agents', ask: 'now'}),
  // It is updated in place.
  keepsOpen: true,
} as const;

/** Agents that can be started, well-known ones, those of the registry, and the demo, which is always listed. */
function itemsOf({rows, registry, address, at}: AgentList): readonly ListItem[] {
  const group = groupOf(registry, at);
  const isDemo = ({id}: AgentRow) => id === 'demo';
  const items = rows.filter((row) => !isDemo(row)).map((row) => itemOf(row, group));
  const asks: ListItem = {...registryItem, group, ...askItem(registry, address)};
  return [...items, asks, ...rows.filter(isDemo).map((row) => itemOf(row, 'Demo'))];
}

const INSTALLING = 'Selecting it loads the ACP registry if necessary, and asks before anything is installed.';

function itemOf(row: AgentRow, group: string): ListItem {
  const {id, name, origins, version, about, details, missing} = row;
  const facts = [missing, id === name ? '' : id, origins, version, about === id ? '' : about];
  const startable = id === 'demo' ? group : 'Ready to start';
  return {
    id,
    label: name,
    description: facts.filter(Boolean).join(' · '),
    group: missing === undefined ? (row.canStart ? startable : group) : 'Not installed · select to install',
    preview: [about, ...details, missing === undefined ? '' : INSTALLING].filter(Boolean).join('\n'),
    // On the board, it is that of the next session.
    choose: (selection) =>
      selection.state.board && row.canStart
        ? emitEvent({
            type: 'board_changed',
            change: {next: {...selection.state.board.next, agent: {id, name}}},
          })
        : chooseAgent(id, selection),
  };
}

function chooseAgent(id: string, {picker: {purpose}}: PickerSelection): Reaction {
  const key = purpose.kind === 'agents' ? purpose.handsOver : undefined;
  return key === undefined
    ? perform({kind: 'choose_agent', id})
    : perform({kind: 'hand_off', key, agent: id});
}

/** Leads from the list of agents to handing over the conversation, if there is one. */
function handoffItems({key, session}: Tab): readonly ListItem[] {
  if (session.unused || session.turn.kind !== 'idle') return [];
  const choose = () => showAgents({handsOver: key});
  return [
    {
      id: '?handoff',
      label: 'With this conversation…',
      description: 'same as /handoff',
      group: 'This conversation',
      choose,
    },
  ];
}

function groupOf(registry: RegistryView, at: number): string {
  const name = 'ACP registry';
  switch (registry.kind) {
    case 'not_asked':
      return `${name} (not loaded)`;
    case 'asking':
      return `${name} (loading…)`;
    case 'known':
      return `${name} (loaded ${ago(at - registry.checkedAt)}); installing asks first`;
    case 'failed':
      return registry.checkedAt === undefined
        ? `${name} (unreachable)`
        : `${name} (loaded ${ago(at - registry.checkedAt)}; unreachable now)`;
  }
}

function askItem(
  registry: RegistryView,
  address: string,
): Pick<ListItem, 'label' | 'description' | 'disabled' | 'isLastResort' | 'preview'> {
  switch (registry.kind) {
    case 'not_asked': {
      const description = `downloads ${address}, now and whenever this list opens`;
      return {label: 'Load the ACP registry', description, preview: description, isLastResort: true};
    }
    case 'asking':
      return {label: 'Load the ACP registry', disabled: 'Loading…', isLastResort: true};
    case 'known':
      return {label: 'Reload', description: `downloads ${address}`};
    case 'failed':
      return {label: 'Try again', description: registry.why, preview: registry.why, isLastResort: true};
  }
}

/** Returns a picker with the progress of an installation; closing it does not stop the installation. */
export function installingPicker(name: string, progress: string): Picker {
  return pickerOf({
    purpose: {kind: 'installing'},
    title: `Installing ${name}`,
    note: progress,
    items: [
      {id: 'continue', label: 'Keep installing'},
      {
        id: 'stop',
        label: 'Cancel the installation',
        choose: () => perform({kind: 'stop_installing'}),
      },
    ],
  });
}

export function withProgress(state: AppState, note: string): AppState {
  return changeList(state, 'installing', (picker) => ({...picker, note}));
}
