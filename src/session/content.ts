import type * as acp from '@agentclientprotocol/sdk/unstable';

/**
 * Adds a streamed block to a list. Neighbouring text with the same annotations becomes one block; its text is a rope, so
 * that a long message costs no more a chunk than a short one.
 */
export function appendBlock(
  content: readonly acp.ContentBlock[],
  block: acp.ContentBlock,
): readonly acp.ContentBlock[] {
  const last = content.at(-1);
  if (last?.type !== 'text' || block.type !== 'text' || !sameAnnotations(last, block))
    return [...content, block];
  if (block.text === '') return content;
  return [...content.slice(0, -1), {...last, text: last.text + block.text}];
}

/** True for content that is meant for the model alone ("Content", annotations): not displayed, but kept. */
export function isHidden(block: acp.ContentBlock): boolean {
  const audience = block.annotations?.audience;
  return (
    audience !== undefined &&
    audience !== null &&
    audience.length > 0 &&
    audience.every((role) => role === 'assistant')
  );
}

/** The text blocks of a list, without what is hidden. */
export function visibleText(content: readonly acp.ContentBlock[]): string {
  let text = '';
  for (const block of content) if (block.type === 'text' && !isHidden(block)) text += block.text;
  return text;
}

export function sameAnnotations(one: acp.TextContent, other: acp.TextContent): boolean {
  const [a, b] = [one.annotations ?? undefined, other.annotations ?? undefined];
  return a === b || (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b));
}
