import {basename} from 'node:path';
import {pathToFileURL} from 'node:url';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ReadAttachment} from './read.ts';

/** Returns the content block for a file: embedded, an image, audio or a link, depending on the agent's capabilities ("Content"). */
export function contentBlockOf(
  {path, size, lines, body}: ReadAttachment,
  capabilities: acp.PromptCapabilities | undefined,
): acp.ContentBlock {
  const file = pathToFileURL(path).href;
  // The protocol has no syntax for a line range; this is the one of its first client.
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
