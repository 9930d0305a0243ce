import type * as acp from '@agentclientprotocol/sdk/unstable';
import {bytes, shownPath} from '../../text/format.ts';
import {escapeHiddenOnce, onOneLine} from '../../text/hidden.ts';

const encoder = new TextEncoder();

/** Content that is not text. */
export type Attached = Exclude<acp.ContentBlock, {type: 'text'}>;

/** Content that is not text, in words on one line: what it is, its type and its size in bytes, as a draft shows it. */
export function attachmentWords(block: Attached, cwd: string): string {
  return onOneLine(escapeHiddenOnce(describe(block, cwd)));
}

function describe(block: Attached, cwd: string): string {
  switch (block.type) {
    case 'image':
    case 'audio':
      return facts(mediaName(block), [block.mimeType, bytes(decodedSize(block.data))]);
    case 'resource_link':
      return facts(block.title ?? block.name, [
        shownUri(block.uri, cwd),
        block.mimeType,
        typeof block.size === 'number' ? bytes(block.size) : undefined,
      ]);
    case 'resource': {
      const {resource} = block;
      const size = 'text' in resource ? encoder.encode(resource.text).length : decodedSize(resource.blob);
      return facts(shownUri(resource.uri, cwd), [resource.mimeType, bytes(size)]);
    }
  }
}

function facts(name: string, details: readonly (string | null | undefined)[]): string {
  const told = details.filter((detail) => detail !== undefined && detail !== null && detail !== name);
  return `[${[name, ...told].join(', ')}]`;
}

/** The name of the file that it was, where that is told. */
function mediaName(block: Extract<acp.ContentBlock, {type: 'image' | 'audio'}>): string {
  const uri = block.type === 'image' ? block.uri : undefined;
  return (uri?.startsWith('file://') && shownUri(uri, '').split('/').at(-1)) || block.type;
}

function shownUri(uri: string, cwd: string): string {
  if (!uri.startsWith('file://')) return uri;
  const [, path = '', lines] = /^file:\/\/([^#]*)(?:#L(\d+:\d+))?/.exec(uri) ?? [];
  const shown = shownPath(decoded(path), cwd);
  return lines === undefined ? shown : `${shown}:${lines.replace(':', '-')}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Bytes behind a base64 text, without decoding it. */
function decodedSize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
