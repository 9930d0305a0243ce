import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Draw} from '../../draw/draw.ts';
import type {ContentContext} from '../extent.ts';
import {drawContentItem} from './content.ts';
import {drawDiff} from './diff.ts';
import {drawTerminal} from './terminal.ts';

type ContentOf<Type extends acp.ToolCallContent['type']> = Extract<acp.ToolCallContent, {type: Type}>;

const drawers: {
  readonly [Type in acp.ToolCallContent['type']]: (
    content: ContentOf<Type>,
    context: ContentContext,
    draw: Draw,
  ) => string[];
} = {
  content: drawContentItem,
  diff: (content, {extent, entry}, draw) => drawDiff(content, {extent, kind: entry.kind}, draw),
  terminal: drawTerminal,
};

/** A part of a tool call as lines. */
export function drawToolContent(content: acp.ToolCallContent, context: ContentContext, draw: Draw): string[] {
  const drawer = drawers[content.type] as (
    content: acp.ToolCallContent,
    context: ContentContext,
    draw: Draw,
  ) => string[];
  return drawer(content, context, draw);
}
