import {
  contentData,
  contentItems,
  type ContentItem,
  type ContentKind,
} from '../../session/content/content-items.ts';
import {bareType, viewerOf} from '../../session/content/content-types.ts';
import {fileName} from '../../session/content/content-names.ts';
import type {SessionState} from '../../session/state.ts';
import {subagentName} from '../../session/subagents/names.ts';
import {bytes, shownLocation, shownPath} from '../../text/format.ts';
import {escapeHiddenFile} from '../../text/hidden.ts';
import {nothing, perform, type Reaction} from '../effects.ts';
import type {Tab, Picker} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {openPicker, pickerOf, type ListItem} from './picker.ts';

const GROUPS = {sent: 'Images and files', link: 'Links', location: 'Files in tool calls'} as const;

/** Lists content to open, save or copy: the user's attachments, then links, then files, each newest first. */
export function showContent({session}: Tab, at: number, filter = ''): Reaction {
  const items = contentItems(session);
  if (items.length === 0) return toast('No images, files or links in this session yet.', at);
  const grouped = Object.entries(GROUPS).flatMap(([group, title]) =>
    items.filter(({kind}) => groupOf(kind) === group).map((item) => itemOf(item, title, session)),
  );
  const picker = pickerOf({
    purpose: {kind: 'ordered_list'},
    title: 'Content of this session',
    items: grouped,
  });
  return openPicker({...picker, filter});
}

function groupOf(kind: ContentKind): keyof typeof GROUPS {
  return kind === 'link' || kind === 'location' ? kind : 'sent';
}

function itemOf(item: ContentItem, group: string, session: SessionState): ListItem {
  const {id, kind, mimeType, bytes: size, from, isOwn, subagent} = item;
  const facts = [
    kind === 'link' || kind === 'location' ? undefined : (mimeType ?? kind),
    size === undefined ? undefined : bytes(size),
    isOwn ? 'sent by you' : from,
    subagent === undefined ? undefined : subagentName(session, subagent),
  ];
  return {
    id,
    group,
    label: labelOf(item, session.cwd),
    description: facts.filter((fact) => fact !== undefined).join(' · '),
    choose: () => openPicker(actionPicker(item, session.cwd)),
  };
}

function labelOf({name, kind, line}: ContentItem, cwd: string): string {
  return kind === 'location' ? shownLocation({path: name, line: line ?? null}, cwd) : name;
}

function actionPicker(item: ContentItem, cwd: string): Picker {
  const copied = {link: 'The URL', location: 'The path', text: 'The text'} as const;
  const save: ListItem = {
    id: 'save',
    label: 'Save',
    description: `As ${fileName(item)} in ${shownPath(cwd, '')}`,
    choose: ({tab: {key}}) => perform({kind: 'save_content', key, item}),
  };
  const refusal = whyNotOpened(item);
  const open: ListItem = {
    id: 'open',
    label: 'Open',
    description: howOpened(item),
    disabled: refusal,
    choose: ({tab: {key}}) => perform({kind: 'open_content', key, item}),
  };
  const copies: ListItem = {
    id: 'copy',
    label: 'Copy',
    description: item.kind in copied ? copied[item.kind as keyof typeof copied] : 'As a data: URL',
    choose: (selection) => copy(selection.tab, item),
  };
  const others = groupOf(item.kind) === 'sent' ? [save, copies] : [copies];
  return pickerOf({
    title: labelOf(item, cwd),
    items: refusal === undefined ? [open, ...others] : [...others, open],
  });
}

function howOpened({kind, mimeType}: ContentItem): string | undefined {
  switch (kind) {
    case 'link':
      return 'In the browser, after confirmation';
    case 'location':
    case 'text':
      return 'In your editor';
    case 'image':
    case 'audio':
    case 'blob':
      return viewerOf(mimeType)?.kind === 'editor' ? 'In your editor' : undefined;
  }
}

function whyNotOpened({kind, mimeType, name}: ContentItem): string | undefined {
  if (kind === 'link') return /^https?:/i.test(name) ? undefined : 'Only http and https URLs can be opened.';
  if (kind === 'location' || kind === 'text' || viewerOf(mimeType)) return undefined;
  return `Files of type ${bareType(mimeType) || 'unknown'} cannot be opened from here; save it.`;
}

/** Copies the visible text only: no hidden character reaches a shell through the clipboard. */
function copy({session}: Tab, item: ContentItem): Reaction {
  const {kind, name, mimeType} = item;
  if (kind === 'link') return perform({kind: 'copy', text: name, what: 'the URL'});
  if (kind === 'location') return perform({kind: 'copy', text: name, what: 'the path'});
  const data = contentData(session, item);
  if (!data) return nothing;
  if (data.kind === 'text')
    return perform({kind: 'copy', text: escapeHiddenFile(data.text), what: 'the text'});
  const type = bareType(mimeType) || 'application/octet-stream';
  return perform({kind: 'copy', text: `data:${type};base64,${data.data}`, what: `the ${kind}`});
}
