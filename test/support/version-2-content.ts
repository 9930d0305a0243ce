import type {JsonObject} from '../../src/text/json.ts';

/** Returns the content of a tool call that a client of version 2 has after these updates. */
export function contentAfter(updates: readonly JsonObject[], toolCallId: string): readonly unknown[] {
  let content: unknown[] = [];
  for (const update of updates) {
    if (update['toolCallId'] !== toolCallId) continue;
    if (update['sessionUpdate'] === 'tool_call_content_chunk') content.push(update['content']);
    else if (update['content'] !== undefined) content = [...((update['content'] ?? []) as unknown[])];
  }
  return content;
}
