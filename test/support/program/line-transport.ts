import type {Transport} from '../../../src/protocol/transport.ts';

/** A transport with the test at the other end. */
export interface LineTransport extends Transport {
  receive(...lines: string[]): void;
  /** The agent has exited. */
  end(): void;
  /** Resolves to the next line that the client sends, from now on. */
  nextSent(): Promise<string>;
  readonly sent: string[];
  /** Resolves once everything received so far has been read. */
  drained(): Promise<void>;
}

export function lineTransport(): LineTransport {
  const waiting: ((line: string) => void)[] = [];
  const sent: string[] = [];
  let drained = () => {};
  let controller: ReadableStreamDefaultController<readonly string[]>;
  const lines = new ReadableStream<readonly string[]>(
    {
      start: (started) => void (controller = started),
      // Called whenever the reader waits for more.
      pull: () => drained(),
    },
    {highWaterMark: 0},
  );
  return {
    lines,
    sent,
    send(line) {
      sent.push(line);
      waiting.shift()?.(line);
      return Promise.resolve();
    },
    receive: (...received) => controller.enqueue(received),
    end: () => controller.close(),
    nextSent: () => new Promise((resolve) => waiting.push(resolve)),
    drained: () =>
      new Promise((resolve) => {
        drained = resolve;
        controller.enqueue([]);
      }),
  };
}
