import type {SessionState} from '../../session/state.ts';
import {age} from '../../text/format.ts';
import {perform} from '../effects.ts';
import {openPicker, pickerOf} from './picker.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {AppEventOf} from '../events.ts';
import type {Picker, PassageMatch} from '../state.ts';
import {openedViewer, START} from '../pages/viewer.ts';

/** Returns the search results, newest first, with the matches highlighted. */
export function passagePicker(query: string, passages: readonly PassageMatch[], at: number): Picker {
  const items = passages.map((passage, index) => {
    const {label, marks} = labeled(passage);
    const by = passage.subagent === undefined ? [] : [`subagent ${passage.subagent}`];
    const place = [age(at - passage.at), ...by, sanitizeLine(passage.cwd)].join(' · ');
    const choose = () => openPicker(actionsOn(passage));
    return {id: String(index), label, marks, group: passage.name, description: place, choose};
  });
  return pickerOf({title: `Found: ${query}`, items});
}

/** Returns the snippet in one line, and the offsets of the matches. */
function labeled({snippet}: PassageMatch): {readonly label: string; readonly marks: readonly number[]} {
  let label = '';
  const marks: number[] = [];
  for (const {text, found} of snippet) {
    const line = text.replaceAll(/\s+/g, ' ');
    const shown = label === '' ? line.trimStart() : line;
    if (found) for (let offset = 0; offset < shown.length; offset++) marks.push(label.length + offset);
    label += shown;
  }
  return {label, marks};
}

/** Asks what to do with a result. */
function actionsOn(passage: PassageMatch): Picker {
  const {session, entry, snippet} = passage;
  const search = snippet.find(({found}) => found)?.text ?? '';
  return pickerOf({
    title: passage.name,
    items: [
      {
        id: 'read',
        label: 'Read',
        description: 'Show the session from here',
        choose: () => perform({kind: 'read_session', id: session, entry, search}),
      },
      {
        id: 'resume',
        label: 'Resume it',
        description: 'Same as /resume',
        choose: () => perform({kind: 'resume_session', row: session, fork: false}),
      },
    ],
  });
}

/** Returns the read-only transcript of a stored session, at one of its entries. */
export function readingOverlay(
  session: SessionState,
  {entry, search}: {readonly entry: number | undefined; readonly search: string},
): AppEventOf<'overlay_opened'> {
  const id = entry === undefined ? undefined : session.entries.get(entry)?.id;
  return {
    type: 'overlay_opened',
    // A stored session no longer waits for answers.
    overlay: {kind: 'transcript', read: {...session, pending: []}},
    viewer: {
      ...openedViewer,
      search,
      position: id === undefined ? START : {from: 'entry', id, rows: 0},
    },
  };
}
