import {runningTasks, type Task} from '../../session/lifecycle/tasks.ts';
import {callAction, combine, emitEvent, nothing, type Reaction} from '../effects.ts';
import {withKey} from '../keymap/hints.ts';
import type {Action} from '../keymap/keymap.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Picker, SessionKey, Tab} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {openPicker, pickerOf, selectedItem, type ListItem} from './picker.ts';
import {transcriptOf} from './subagent-picker.ts';

const KINDS: Readonly<Record<Task['kind'], string>> = {
  tool_call: 'tool call',
  terminal: 'command',
  subagent: 'subagent',
};

/** Lists what runs in the session; a toast if nothing does. */
export function showTasks({session}: Tab, at: number): Reaction {
  const tasks = runningTasks(session);
  if (tasks.length === 0) return toast('Nothing runs in this session.', at);
  return openPicker(pickerOf({purpose: {kind: 'tasks'}, title: 'What runs now', items: tasks.map(itemOf)}));
}

function itemOf(task: Task): ListItem {
  const {kind, label, subagent, canCancel} = task;
  const opened = kind === 'subagent' ? task.id : subagent;
  return {
    id: idOf(task),
    label,
    description: [KINDS[kind], ...(canCancel ? [] : ['cannot be cancelled alone'])].join(' · '),
    choose: () => emitEvent(transcriptOf(opened)),
  };
}

function idOf({kind, id, subagent = ''}: Task): string {
  return JSON.stringify([kind, id, subagent]);
}

/** Cancels the selected task; undefined for any other key or list. */
export function taskKey(
  state: AppState,
  {action, picker, at}: {readonly action: Action | undefined; readonly picker: Picker; readonly at: number},
): Reaction | undefined {
  if (picker.purpose.kind !== 'tasks' || action !== 'cancel_task') return undefined;
  const {key, session} = activeSession(state);
  const selected = selectedItem(picker)?.id;
  if (selected === undefined) return nothing;
  const task = runningTasks(session).find((each) => idOf(each) === selected);
  if (!task) return toast('It has ended.', at);
  if (!task.canCancel)
    return toast(
      withKey('The agent cannot cancel this alone', 'cancel_or_back', 'cancels the turn', state.keymap),
      at,
    );
  return combine(emitEvent({type: 'overlay_closed', at}), cancelTask(key, task, at));
}

export function cancelTask(key: SessionKey, task: Task, at: number): Reaction {
  return combine(callToCancel(key, task), toast(`Cancelling ${task.label}`, at));
}

function callToCancel(key: SessionKey, {kind, id, subagent, isRunHere}: Task): Reaction {
  if (kind === 'subagent') return callAction(key, 'cancelSubagent', id);
  if (isRunHere) return callAction(key, 'stopCommand', id);
  return callAction(key, 'cancelTask', {kind, id, subagent});
}
