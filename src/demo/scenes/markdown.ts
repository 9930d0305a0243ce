import type {Scene} from './scene.ts';

const SAMPLE = `## Markdown as it streams

Text can be **strong**, *emphasised*, ~~struck out~~ or \`code\`, and links are [real links](https://agentclientprotocol.com).

1. Lists are numbered,
2. nested,
   - with bullets
   - and [x] tasks
3. and wrapped under their own first letter, so that a long item like this one stays easy to read in a narrow window.

> Quotes keep their bar, also when they
> go over several lines.

| what       | how fast |
| ---------- | -------: |
| first text |  at once |
| each key   |  a frame |

\`\`\`ts
// Code is highlighted once its block is finished.
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
\`\`\`

Wide characters keep their width: 日本語, 한국어, 👩‍👩‍👧.
`;

export const markdown: Scene = {
  name: 'markdown',
  description: 'Headings, lists, tables and code, streamed',
  play: (stage) => stage.say(SAMPLE),
};
