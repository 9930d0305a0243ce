import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Stage} from './stage.ts';
import {readFile, writeFile, runCommand} from './tools.ts';

/** A feature that the demo agent shows, started by its slash command. */
interface Scene {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  play(stage: Stage, prompt: string): Promise<void>;
}

/** Returns the text after the command's name in a prompt. */
function argumentOf(prompt: string): string {
  return /^\/\S+\s+([\s\S]*)$/.exec(prompt.trim())?.[1]?.trim() ?? '';
}

const hello: Scene = {
  name: 'hello',
  description: 'Answers everything that is not a command',
  async play(stage, prompt) {
    await stage.think('The user wrote something that is not one of my commands. I should say what I am.');
    const words = prompt.trim().split(/\s+/).filter(Boolean).length;
    const received = words === 0 ? 'nothing' : `${words} ${words === 1 ? 'word' : 'words'}`;
    await stage.say(
      `I am the **demo agent** that comes with acp-tui. There is no model behind me: my answers are scripted, I work offline, ` +
        `and I cannot understand what you wrote (I counted ${received}).\n\n` +
        'What I can do is show how acp-tui works with an agent:\n\n' +
        '- `/tour` walks through the main things in a minute\n' +
        '- `/markdown`, `/work`, `/read`, `/edit`, `/run`, `/form`, `/link` and `/slow` show one thing each\n\n' +
        'To talk to a real agent, select one with `/agents`.\n',
    );
  },
};

const read: Scene = {
  name: 'read',
  description: 'Reads a file through the client',
  hint: 'file (default: README.md)',
  async play(stage, prompt) {
    const name = argumentOf(prompt) || 'README.md';
    const content = await readFile(stage, name);
    if (content === undefined) await stage.say(`I could not read \`${name}\`.\n`);
    else
      await stage.say(
        `\`${name}\` has ${content.length} characters. Its first line is:\n\n> ${content.split('\n')[0] ?? ''}\n`,
      );
  },
};

const FIRST = `# Notes

The demo agent wrote this file.
It has a few lines,
so that a change can be seen.
`;

const edit: Scene = {
  name: 'edit',
  description: 'Writes a file and changes a line of it, asking first',
  hint: 'file (default: acp-tui-demo.md)',
  async play(stage, prompt) {
    const name = argumentOf(prompt) || 'acp-tui-demo.md';
    await stage.think(`I will write ${name} and then change one line, so that a diff can be seen.`);
    if (!(await writeFile(stage, name, FIRST))) {
      await stage.say('Then I leave the file alone.\n');
      return;
    }
    const content = (await readFile(stage, name)) ?? FIRST;
    const changed = content.replace('a few lines', 'four lines');
    const written = await writeFile(stage, name, changed);
    await stage.say(
      written ? `\`${name}\` is written and changed.\n` : `\`${name}\` stays as I first wrote it.\n`,
    );
  },
};

/** At the same pace as everything else. */
const count = (pace: number) =>
  `for i in 1 2 3 4 5; do echo "step $i of 5"; sleep ${0.3 * pace}; done; echo done`;

const run: Scene = {
  name: 'run',
  description: 'Runs a command through the client, asking first',
  hint: 'command (default: counts to five)',
  async play(stage, prompt) {
    const command = argumentOf(prompt);
    const output = await runCommand(stage, 'sh', ['-c', command || count(stage.pace)]);
    if (output === undefined) await stage.say('The command did not run.\n');
    else await stage.say(`The command printed ${output.split('\n').filter(Boolean).length} lines.\n`);
  },
};

const STEPS = ['Look at the problem', 'Try the simple way first', 'Check that it works', 'Clean up'];

const work: Scene = {
  name: 'work',
  description: 'A plan that proceeds step by step',
  async play(stage) {
    await stage.think('A plan with four steps is enough to show how one proceeds.');
    for (let done = 0; done <= STEPS.length; done++) {
      await stage.plan(STEPS.map((content, index) => planEntry(content, index - done)));
      await stage.pause(500);
    }
    await stage.say('All four steps are done.\n');
  },
};

/** Steps before the current one are done, later ones are pending. */
function planEntry(content: string, distance: number): acp.PlanEntry {
  const status = distance < 0 ? 'completed' : distance === 0 ? 'in_progress' : 'pending';
  return {content, status, priority: distance > 1 ? 'low' : 'medium'};
}

const properties: Record<string, acp.ElicitationPropertySchema> = {
  name: {type: 'string', title: 'Your name', minLength: 2, maxLength: 40},
  email: {type: 'string', title: 'Your address', description: 'It is never used.', format: 'email'},
  site: {type: 'string', title: 'Your site', format: 'uri'},
  since: {type: 'string', title: 'With terminals since', format: 'date'},
  branch: {
    type: 'string',
    title: 'A branch for it',
    pattern: '^[a-z][a-z0-9/-]*$',
    default: 'feature/forms',
  },
  color: {
    type: 'string',
    title: 'A color',
    oneOf: [
      {const: '#f00', title: 'Red'},
      {const: '#0a0', title: 'Green'},
      {const: '#00f', title: 'Blue'},
    ],
  },
  shell: {
    type: 'string',
    title: 'Your shell',
    enum: ['bash', 'dash', 'elvish', 'fish', 'ksh', 'nushell', 'pwsh', 'tcsh', 'xonsh', 'zsh'],
    default: 'bash',
  },
  tools: {
    type: 'array',
    title: 'What you use',
    items: {type: 'string', enum: ['tmux', 'vim', 'emacs', 'git']},
    minItems: 1,
    maxItems: 3,
  },
  often: {type: 'integer', title: 'How often a day', minimum: 0, maximum: 1000},
  width: {type: 'number', title: 'How wide, in meters', minimum: 0},
  happy: {type: 'boolean', title: 'Are you happy with it', default: true},
};

async function askForm(stage: Stage, names: readonly string[], required: string[]): Promise<void> {
  const {client, context, session, signal} = stage;
  if (!client.elicitation?.form) {
    await stage.say('This client does not support forms, so I cannot ask with one.\n');
    return;
  }
  const fields = Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));
  const answer = await context.request(
    'elicitation/create',
    {
      mode: 'form',
      sessionId: session.id,
      message: 'A few questions, to show what a form looks like',
      requestedSchema: {type: 'object', properties: fields, required},
    },
    {cancellationSignal: signal},
  );
  const content = 'content' in answer ? answer.content : undefined;
  const json = JSON.stringify(content ?? {}, undefined, 2);
  const answers = content ? ` and these answers:\n\n\`\`\`json\n${json}\n\`\`\`\n` : '.\n';
  await stage.say(`You answered with **${answer.action}**${answers}`);
}

const form: Scene = {
  name: 'form',
  description: 'Asks with a form, if the client supports forms',
  play: (stage) => askForm(stage, Object.keys(properties), ['name', 'tools']),
};

/** As the tour has it: two fields. */
const shortForm: Scene = {...form, play: (stage) => askForm(stage, ['name', 'color'], ['name'])};

const link: Scene = {
  name: 'link',
  description: 'Opens a URL, if the client supports it',
  async play(stage) {
    const {client, context, session, signal} = stage;
    if (!client.elicitation?.url) {
      await stage.say('This client does not open URLs, so I cannot send you to one.\n');
      return;
    }
    const elicitationId = randomUUID();
    const answer = await context.request(
      'elicitation/create',
      {
        mode: 'url',
        sessionId: session.id,
        elicitationId,
        url: `https://agentclientprotocol.com/rfds/elicitation?from=demo&elicitationId=${elicitationId}`,
        message: 'Please look at the page that describes what happens here',
      },
      {cancellationSignal: signal},
    );
    await stage.say(`You answered with **${answer.action}**.\n`);
    if (answer.action !== 'accept') return;
    await stage.say('I wait a moment, as if you signed in there.\n');
    await stage.pause(3000);
    await context.notify('elicitation/complete', {elicitationId});
    await stage.say('\nThat is done.\n');
  },
};

const SAMPLE = `## Markdown as it streams

Text can be **strong**, *emphasized*, ~~struck out~~ or \`code\`, and links are [real links](https://agentclientprotocol.com).

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

const markdown: Scene = {
  name: 'markdown',
  description: 'Headings, lists, tables and code, streamed',
  play: (stage) => stage.say(SAMPLE),
};

const slow: Scene = {
  name: 'slow',
  description: 'A long answer, to try cancelling and queueing',
  async play(stage) {
    for (let line = 1; line <= 60; line++) {
      await stage.say(
        `${line}. This answer goes on for a while. Press Esc to cancel it, or type the next prompt meanwhile.\n`,
      );
      await stage.pause(150);
    }
  },
};

const STOPS: readonly (readonly [introduction: string, scene: Scene])[] = [
  ['**1. Answers** stream in as markdown.', markdown],
  ['**2. Plans** appear above the prompt until they are done.', work],
  [
    '**3. Files.** I will now ask to write a file. You see the whole change first; `y` allows it, `n` rejects it, and Esc goes back to your prompt.',
    edit,
  ],
  ['**4. Commands** run in a terminal here, and only when you allow them.', run],
  ['**5. Forms** let an agent ask questions.', shortForm],
];

const tour: Scene = {
  name: 'tour',
  description: 'A walk through the main things, in about a minute',
  async play(stage, prompt) {
    await stage.say(
      'Welcome. I am a scripted demo agent; this tour shows what acp-tui does with a real one.\n\n',
    );
    for (const [introduction, scene] of STOPS) {
      await stage.say(`${introduction}\n\n`);
      await scene.play(stage, prompt.replace(/^\S+/, `/${scene.name}`));
      await stage.say('\n');
    }
    await stage.say(
      'That was what an agent does. What you can do:\n\n' +
        '- `/review` shows what I changed, to keep or revert it; `/undo` restores the files of a turn.\n' +
        '- What you type while an agent works waits in a queue.\n' +
        '- `/resume` lists your sessions, and `/new` starts another one.\n' +
        '- `/sandbox` says what a confined agent may do, and how to confine one.\n' +
        '- Shift+Tab changes my mode, `/model` my model, `/options` everything else, and `?` on an empty prompt lists the keys.\n',
    );
  },
};

const SCENES: readonly Scene[] = [tour, markdown, work, read, edit, run, form, link, slow];

/** The commands that clients can offer ("Slash Commands"). */
export function commands(): acp.AvailableCommand[] {
  return SCENES.map(({name, description, hint}) => ({
    name,
    description,
    ...(hint !== undefined && {input: {hint}}),
  }));
}

/** Returns the scene that a prompt names; `hello` for anything that is not a command. */
export function sceneFor(prompt: string): Scene {
  const name = /^\/(\S+)/.exec(prompt.trim())?.[1];
  return SCENES.find((scene) => scene.name === name) ?? hello;
}
