import {Readable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {
  type InputKind,
  inputKind,
  type Processes,
  readAll,
  readOfferedInput,
} from '../../../../src/modes/print/standard-input.ts';

function stat(kind: 'fifo' | 'socket' | 'file' | 'device', size = 0) {
  return {
    isFIFO: () => kind === 'fifo',
    isSocket: () => kind === 'socket',
    isFile: () => kind === 'file',
    size,
  };
}

interface Above {
  readonly name: string;
  /** Whether it has the same standard input; what it has read, in bytes. */
  readonly shares?: boolean;
  readonly writes?: boolean;
  readonly read?: number;
}

/** The processes above, the parent first; of a file, nothing has been read. */
function processes(...above: readonly Above[]): Processes {
  return {
    hasBeenRead: () => false,
    parent: 1,
    find(pid) {
      const found = above[pid - 1];
      return found && {parent: pid + 1, name: found.name, read: found.read ?? 5000};
    },
    sharesInput: (pid) => above[pid - 1]?.shares === true,
    writesInput: (pid) => above[pid - 1]?.writes === true,
  };
}

const bash = {name: 'bash'};

describe('standard input that was not asked for', () => {
  test.each<[string, Parameters<typeof inputKind>, InputKind]>([
    ['of a pipeline in a shell', [stat('fifo'), processes(bash)], 'ours'],
    ['that is a file of a redirection', [stat('file', 12), processes(bash)], 'ours'],
    [
      'through a program that passes it on',
      [stat('fifo'), processes({name: 'timeout', shares: true}, bash)],
      'ours',
    ],
    [
      'in a function of a shell',
      [stat('fifo'), processes({name: 'bash', shares: true, read: 0}, bash)],
      'ours',
    ],
    ['of a loop', [stat('fifo'), processes({name: 'bash', shares: true, read: 2}, bash)], 'shared'],
    ['of a loop over a file', [stat('file', 12), {...processes(bash), hasBeenRead: () => true}], 'shared'],
    [
      'that is a file which the shell of a script opens itself',
      [stat('file', 12), processes({name: 'dash', shares: true})],
      'ours',
    ],
    [
      'of a shell over ssh that reads its script there',
      [stat('socket'), processes({name: 'bash', shares: true})],
      'shared',
    ],
    [
      'of a loop with a program in between',
      [stat('fifo'), processes({name: 'npm exec acp-tui', shares: true}, {name: 'zsh', shares: true}, bash)],
      'shared',
    ],
    [
      'of a script of another language',
      [stat('fifo'), processes({name: 'python3.12', shares: true}, bash)],
      'shared',
    ],
    [
      'that a program may write into',
      [stat('fifo'), processes({name: 'python3', writes: true}, bash)],
      'maybe',
    ],
    ['that is a socket, as ssh and Node have it', [stat('socket'), processes({name: 'sshd'})], 'maybe'],
    ['that is a pipe where nothing more is known', [stat('fifo'), undefined], 'maybe'],
    ['that is a file where nothing more is known', [stat('file', 12), undefined], 'shared'],
    ['that is an empty file', [stat('file', 0), processes(bash)], 'nothing'],
    ['that is a terminal or a device', [stat('device'), processes(bash)], 'nothing'],
    ['that is closed', [undefined, processes(bash)], 'nothing'],
  ])('%s', (_name, [found, known], expected) => {
    expect(inputKind(found, known)).toBe(expected);
  });

  function offered(kind: InputKind, stream: Readable) {
    const warnings: string[] = [];
    const input = readOfferedInput(kind, () => stream, {warn: (text) => warnings.push(text), silenceMs: 10});
    return {...input, warnings};
  }

  const open = () => new Readable({read: () => {}});

  test('is read to its end, also if that takes long', async () => {
    const stream = open();
    const {text, warnings} = offered('ours', stream);
    await expect
      .poll(() => warnings)
      .toEqual(['Waiting for standard input; < /dev/null sends the prompt without it.']);
    stream.push('late');
    stream.push(null);
    expect(await text).toEqual({ok: true, value: 'late'});
  });

  test('is given up if it stays open and silent', async () => {
    const {isMeant, text, warnings} = offered('maybe', open());
    expect(isMeant).toBe(false);
    expect(await text).toEqual({ok: true, value: ''});
    expect(warnings).toEqual([
      'Standard input is ignored, because nothing came for 0.01 s; add --stdin to wait for it.',
    ]);
  });

  test('that is empty is no text, and nothing is said', async () => {
    const {text, warnings} = offered('maybe', Readable.from([]));
    expect(await text).toEqual({ok: true, value: ''});
    expect(warnings).toEqual([]);
  });

  test('that breaks is a failure', async () => {
    const stream = open();
    const {text} = offered('maybe', stream);
    stream.destroy(new Error('EIO'));
    expect(await text).toMatchObject({failure: {kind: 'file', path: 'standard input'}});
  });

  test.each([
    [
      'shared',
      ['Standard input is ignored, because a program above may read it, too; add --stdin to send it.'],
    ],
    ['nothing', []],
  ] as const)('is not touched if it is %s', async (kind, said) => {
    const warnings: string[] = [];
    const stream = () => {
      throw new Error('touched');
    };
    const {text} = readOfferedInput(kind, stream, {warn: (each) => warnings.push(each)});
    expect(await text).toEqual({ok: true, value: ''});
    expect(warnings).toEqual(said);
  });
});

describe('standard input as a prompt', () => {
  test('keeps characters that are split in two', async () => {
    const bytes = Buffer.from('naïve 🙂');
    const chunks = [...bytes].map((byte) => Buffer.from([byte]));
    expect(await readAll(Readable.from(chunks))).toEqual({ok: true, value: 'naïve 🙂'});
  });

  test('loses its byte order mark', async () => {
    expect(await readAll(Readable.from([Buffer.from('\ufeffhello')]))).toEqual({ok: true, value: 'hello'});
  });

  test('that no agent would accept is rejected before it fills the memory', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read++;
        yield Buffer.alloc(1024 * 1024, 'a');
      }
    }
    expect(await readAll(endless())).toMatchObject({
      failure: {kind: 'file', problem: 'it has more than 24 MiB'},
    });
    expect(read).toBeLessThan(40);
  });

  test('that is no text is rejected', async () => {
    expect(await readAll(Readable.from([Buffer.from('PNG\0')]))).toMatchObject({
      failure: {
        kind: 'file',
        problem: 'it is not text: it has a NUL byte; -f attaches a file of any type',
      },
    });
  });

  test('that breaks is a failure', async () => {
    const broken = new Readable({read: () => {}});
    broken.destroy(new Error('EIO'));
    expect(await readAll(broken)).toMatchObject({ok: false, failure: {kind: 'file', path: 'standard input'}});
  });
});
