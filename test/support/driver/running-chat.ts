import {openReady, type Chat, type ChatOptions} from './chat.ts';

/** A chat whose agent runs a command without a request. */
export async function chatRunning(
  command: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Chat> {
  const chat = await openReady({agent: 'demo', args: ['--approve', 'all'], env});
  chat.type(`/run ${command}`);
  await chat.sees(command.slice(-30));
  chat.type('\r');
  return chat;
}

/** A chat in full screen whose agent has printed this many numbered rows. */
export async function chatWithRows(count: number, options: ChatOptions = {}): Promise<Chat> {
  const args = ['--approve', 'all', '--fullscreen', ...(options.args ?? [])];
  const chat = await openReady({agent: 'demo', ...options, args});
  chat.type(`/run for i in $(seq ${count}); do echo "row $i."; done`);
  await chat.sees('done');
  chat.type('\r');
  await chat.sees(`The command printed ${count} lines`);
  return chat;
}
