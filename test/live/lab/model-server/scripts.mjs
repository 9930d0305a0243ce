// What the scripted model says, by a keyword in the prompt: (user text, tool rounds done) to {think?, text?, calls?, delay?, end?, status?}.
export const words = (s) => s.match(/\S+\s*|\s+/g) ?? [];
const LONG = (() => {
  const out = ['# A long answer\n\n'];
  for (let i = 1; i <= 6; i++) {
    out.push(
      `## Section ${i}\n\n`,
      'Some **bold**, some *italic*, some `code`, a [link](https://example.invalid/x) and ',
      'wide characters: 日本語 한국어 🎉 👩‍👩‍👧 e\u0301.\n\n',
      `1. first\n2. second\n   - nested ${i}\n   - nested again\n\n`,
    );
    if (i % 2)
      out.push(
        '```js\n',
        ...Array.from({length: 8}, (_, k) => `const v${k} = ${k}; // line ${k} of block ${i}\n`),
        '```\n\n',
      );
    else
      out.push(
        '| name | value | note |\n',
        '|------|------:|:----:|\n',
        ...Array.from({length: 6}, (_, k) => `| row ${k} | ${k * i * 1000} | ok ${'x'.repeat(k * 3)} |\n`),
        '\n',
      );
    out.push(
      '> a quote that is long enough to wrap on a narrow terminal, so that the wrapping can be looked at\n\n',
      ...words('The quick brown fox jumps over the lazy dog and then keeps going for a while. '),
      '\n\n---\n\n',
    );
  }
  out.push('```diff\n- old line\n+ new line\n```\n\nThe end of the long answer.\n');
  return out;
})();
const path = (u, d) => (u.match(/(\/[\w.@+/-]+\.[a-z0-9]+)/) ?? [])[1] ?? d;
// Each script: (user text, number of tool rounds already done) -> { think?, text?, calls?, delay?, end?, status? }
export const SCRIPTS = [
  ['say hello', () => ({text: words('Hello from the **mock** model. This is `short` markdown.\n')})],
  ['long markdown', () => ({text: LONG})],
  [
    'write file',
    (u, n) =>
      n === 0
        ? {
            text: words('I will write the file. '),
            calls: [
              [
                'write',
                {path: path(u, 'lab-notes.md'), content: '# Notes\n\nline one\nline two\nline three\n'},
              ],
            ],
          }
        : {text: words('The file is written.\n')},
  ],
  [
    'edit file',
    (u, n) =>
      n === 0
        ? {calls: [['read', {path: path(u, 'README.md')}]]}
        : n === 1
          ? {
              text: words('Now I change one line. '),
              calls: [['edit', {path: path(u, 'README.md'), old: 'line two', new: 'line 2 (edited)'}]],
            }
          : {text: words('The file is edited.\n')},
  ],
  [
    'read file',
    (u, n) =>
      n === 0 ? {calls: [['read', {path: path(u, 'README.md')}]]} : {text: words('I have read it.\n')},
  ],
  [
    'run command',
    (u, n) =>
      n === 0
        ? {text: words('Running a command. '), calls: [['shell', {command: 'echo hi && ls'}]]}
        : {text: words('The command ran.\n')},
  ],
  [
    'run outside',
    (u, n) =>
      n === 0
        ? {
            text: words('Running with permission. '),
            calls: [['shell', {escalate: true, command: 'echo hi && ls'}]],
          }
        : {text: words('The command ran.\n')},
  ],
  [
    'big output',
    (u, n) =>
      n === 0 ? {calls: [['shell', {command: 'seq 1 20000'}]]} : {text: words('That was a lot of output.\n')},
  ],
  [
    'failing command',
    (u, n) =>
      n === 0
        ? {calls: [['shell', {command: 'echo out; echo err >&2; exit 3'}]]}
        : {text: words('It failed as expected.\n')},
  ],
  [
    'color command',
    (u, n) =>
      n === 0
        ? {calls: [['shell', {command: "printf '\\033[31mred\\033[0m \\033]0;title\\007 plain\\n'"}]]}
        : {text: words('Colors were printed.\n')},
  ],
  [
    'slow command',
    (u, n) =>
      n === 0
        ? {
            calls: [
              ['shell', {command: 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo tick $i; sleep 1; done'}],
            ],
          }
        : {text: words('The slow command is done.\n')},
  ],
  [
    'two tools',
    (u, n) =>
      n === 0
        ? {
            calls: [
              ['shell', {command: 'echo one'}],
              ['read', {path: path(u, 'README.md')}],
            ],
          }
        : {text: words('Both are done.\n')},
  ],
  [
    'make a plan',
    (u, n) =>
      n === 0
        ? {calls: [['plan', {done: 0}]]}
        : n === 1
          ? {calls: [['plan', {done: 2}]]}
          : {text: words('The plan is made.\n')},
  ],
  [
    'exit plan',
    (u, n) => (n === 0 ? {calls: [['exitplan', {}]]} : {text: words('The plan was answered.\n')}),
  ],
  ['use server', (u, n) => (n < 2 ? {calls: [['server', {}]]} : {text: words('The server was used.\n')})],
  ['fetch page', (u, n) => (n === 0 ? {calls: [['fetch', {}]]} : {text: words('The page was fetched.\n')})],
  ['ask me', (u, n) => (n === 0 ? {calls: [['ask', {}]]} : {text: words('Thank you for the answer.\n')})],
  [
    'subagent write',
    (u, n) =>
      n === 0
        ? {calls: [['task', {prompt: `Please write file ${path(u, 'sub.md')}`}]]}
        : {text: words('The subagent is done.\n')},
  ],
  ['subagent', (u, n) => (n === 0 ? {calls: [['task', {}]]} : {text: words('The subagent is done.\n')})],
  [
    'think',
    () => ({
      think: words(
        'Let me think about this. First one thing, then **another** thing, and at last a conclusion. ',
      ),
      text: words('I thought about it.\n'),
    }),
  ],
  ['slow', () => ({text: Array.from({length: 40}, (_, i) => `slow chunk ${i + 1} of 40. `), delay: 500})],
  ['cut short', () => ({text: words('This answer is cut short because'), end: 'length'})],
  ['model error', () => ({status: 400})],
  ['rate limit', () => ({status: 429})],
];
