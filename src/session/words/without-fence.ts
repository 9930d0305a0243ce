/** Agents put file contents and output between fences; in a card the fence says nothing. */
export function withoutFence(text: string): string {
  const fenced = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1$/.exec(text);
  return fenced?.[2]?.replace(/\n+$/, '') ?? text;
}
