import {basename} from 'node:path';
import {pathToFileURL} from 'node:url';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ReadAttachment} from './read.ts';

/** The content block for a file: what the agent advertised decides between embedding, an image, sound and a link ("Content"). */
export function contentBlockOf(
  {path, size, lines, body}: ReadAttachment,
  capabilities: acp.PromptCapabilities | undefined,
): acp.ContentBlock {
  const file = pathToFileURL(path).href;
  // The protocol has no form for a part of a file; this is the one that its first client uses.
  const uri = lines ? `${file}#L${lines.first}:${lines.last}` : file;
  if (body && 'text' in body && capabilities?.embeddedContext) {
    return {type: 'resource', resource: {uri, text: body.text}};
  }
  if (body && 'media' in body && capabilities?.[body.media]) {
    const {media, data, mimeType} = body;
    return media === 'image' ? {type: media, data, mimeType, uri} : {type: media, data, mimeType};
  }
  return {type: 'resource_link', uri, name: basename(path), ...(size !== undefined && {size})};
}
