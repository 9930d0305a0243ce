import type * as acp from '@agentclientprotocol/sdk/unstable';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Draw} from '../draw/draw.ts';
import {hanging} from '../draw/lines.ts';
import {drawContent} from '../transcript/entries/agent-message.ts';

/** A whole plan as lines: a checklist, markdown, or the file that it is in. */
export function drawPlanContent(content: acp.PlanUpdateContent, draw: Draw): string[] {
  switch (content.type) {
    case 'items':
      return content.entries.flatMap((item) => drawItem(item, draw));
    case 'markdown':
      return drawContent([{type: 'text', text: content.content}], draw);
    case 'file':
      return [draw.paint.link(truncate(sanitizeLine(content.uri), draw.columns))];
  }
}

function drawItem({content, status, priority}: acp.PlanEntry, draw: Draw): string[] {
  const {paint, signs} = draw;
  const urgent = priority === 'high' && status !== 'completed' ? ' (high)' : '';
  const looks = {
    pending: {sign: signs.pending, style: (text: string) => text},
    in_progress: {sign: signs.running, style: paint.accent},
    completed: {sign: signs.done, style: paint.dim},
  };
  const {sign, style} = looks[status] ?? looks.pending;
  return hanging(sign, content + urgent, draw).map((line) => style(line));
}

/** The unfinished plan above the prompt, in at most `rows` lines around the step that is worked on. */
export function drawPlanPanel(content: acp.PlanUpdateContent, rows: number, draw: Draw): string[] {
  if (rows < 1) return [];
  const {paint, columns} = draw;
  const title = paint.bold(truncate(`Plan${progressOf(content)}`, columns));
  if (rows === 1) return [title];
  if (content.type !== 'items') return [title, ...drawPlanContent(content, draw).slice(0, rows - 1)];
  const items = content.entries.map((item) => truncate(drawItem(item, draw)[0] ?? '', columns));
  const current = content.entries.findIndex(({status}) => status !== 'completed');
  const room = rows - 1;
  const start = Math.max(0, Math.min(current - Math.floor(room / 3), items.length - room));
  return [title, ...items.slice(start, start + room)];
}

function progressOf(content: acp.PlanUpdateContent): string {
  if (content.type !== 'items') return '';
  const done = content.entries.filter(({status}) => status === 'completed').length;
  return ` ${done}/${content.entries.length}`;
}
