import {basename} from 'node:path';
import {fileURLToPath} from 'node:url';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type {SessionState} from '../../session/state.ts';

/**
 * Returns the blocks of a prompt as the agent takes them ("Content"): the editor does not know its capabilities. Embedded files become links, or text if they
 * are nowhere else; an image is refused.
 */
export function supportedContent(
  content: readonly acp.ContentBlock[],
  agent: SessionState['agent'],
): readonly acp.ContentBlock[] {
  const {image, audio, embeddedContext} = agent?.capabilities.promptCapabilities ?? {};
  return content.map((block) => {
    if ((block.type === 'image' && !image) || (block.type === 'audio' && !audio))
      throw RequestError.invalidParams(undefined, `this agent does not accept ${block.type} content`);
    return block.type === 'resource' && !embeddedContext ? unembedded(block.resource) : block;
  });
}

function unembedded(resource: acp.EmbeddedResourceResource): acp.ContentBlock {
  const {uri} = resource;
  const path = filePathOf(uri);
  if (path !== undefined || !('text' in resource))
    return {type: 'resource_link', uri, name: path === undefined ? uri : basename(path)};
  return {type: 'text', text: `${uri}:\n${resource.text}`};
}

/** Undefined for what is no file, such as the text of an unsaved buffer. */
function filePathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
