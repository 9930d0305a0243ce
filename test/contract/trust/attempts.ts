import type * as acp from '@agentclientprotocol/sdk/unstable';
import {commandLine} from '../../../src/host/terminals/command.ts';
import type {StoryRequest, Attempt} from './stories.ts';

/** The initial contents of the files in a story. */
export const FILE_A = 'l9001l\nl9002l\nl9003l\n';

/** What an agent sends to request this. */
export function toolCallOf(
  {kind, diff, command}: StoryRequest,
  cwd: string,
): Omit<acp.ToolCallUpdate, 'toolCallId'> {
  return {
    kind,
    title: 'Do it',
    locations: diff ? [{path: `${cwd}/${diff.file}`}] : [],
    content: diff ? [{type: 'diff', path: `${cwd}/${diff.file}`, ...textsOf(diff)}] : [],
    rawInput: command ? inputOf(command, cwd) : {},
  };
}

function textsOf({file, lines, form}: NonNullable<StoryRequest['diff']>) {
  const text = `${lines.join('\n')}\n`;
  if (form === 'part') return {oldText: 'l9002l\n', newText: text};
  return {oldText: form === 'whole' && file === 'a' ? FILE_A : null, newText: text};
}

function inputOf({args, inSub, shape}: NonNullable<StoryRequest['command']>, cwd: string): object {
  const folder = inSub ? {cwd: `${cwd}/sub`} : {};
  switch (shape) {
    case 'line':
      return {command: commandLine({command: 'deploy', args}), ...folder};
    case 'list':
      return {command: ['deploy', ...args], ...folder};
    case 'args':
      return {command: 'deploy', args, ...folder};
  }
}

/** The file that an attempt writes, with its content. */
export function writeOf(
  {diff}: StoryRequest,
  twist: Attempt['twist'],
  cwd: string,
): {path: string; content: string} {
  const {file, lines, form} = diff ?? {file: 'a', lines: ['l8000l'], form: 'whole'};
  const kept = twist === 'less' ? lines.slice(0, -1) : twist === 'more' ? [...lines, 'l8001l'] : lines;
  const text = twist === 'fresh' ? 'l8002l\n' : kept.map((line) => `${line}\n`).join('');
  const target = twist === 'other file' ? (file === 'a' ? 'b' : 'a') : file;
  const isPart = form === 'part' && file === 'a' && twist !== 'fresh';
  return {path: `${cwd}/${target}`, content: isPart ? FILE_A.replace('l9002l\n', text) : text};
}

/** The command that an attempt runs. */
export function runOf(
  {command}: StoryRequest,
  twist: Attempt['twist'],
  cwd: string,
): Omit<acp.CreateTerminalRequest, 'sessionId'> {
  const {args, inSub} = command ?? {args: ['w8000w'], inSub: false};
  const sub = {cwd: `${cwd}/sub`};
  const folder = inSub !== (twist === 'other folder') ? sub : {};
  const line = commandLine({command: 'deploy', args});
  switch (twist) {
    case 'less':
      return {command: 'deploy', args: args.slice(0, -1), ...folder};
    case 'more':
      return {command: 'deploy', args: [...args, 'w8001w'], ...folder};
    case 'variable':
      return {command: 'deploy', args: [...args], env: [{name: 'EXTRA', value: 'w8002w'}], ...folder};
    case 'shell':
      return {command: 'sh', args: ['-c', line], ...folder};
    case 'own shell':
      return {command: `${cwd}/sh`, args: ['-c', line], ...folder};
    case 'joined':
      return {command: 'deploy', args: [args.join(' ')], ...folder};
    default:
      return {command: 'deploy', args: [...args], ...folder};
  }
}
