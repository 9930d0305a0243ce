import {crc32, deflateRawSync, gzipSync} from 'node:zlib';

/* Archives built from bytes: the usual packers refuse to write what has to be tested. */

export interface TarEntry {
  readonly path: string;
  /** `0` a file, `1` a hard link, `2` a symbolic link, `3` a device, `5` a folder, `6` a pipe. */
  readonly type?: string;
  readonly content?: string | Uint8Array;
  readonly mode?: number;
  readonly target?: string;
  /** The size in the header, if it is not the real one. */
  readonly size?: number;
}

const BLOCK = 512;

/** A tar in the ustar format; names that are too long are in a PAX header. */
export function tar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(2 * BLOCK)]);
}

export function tarGz(entries: readonly TarEntry[]): Buffer {
  return gzipSync(tar(entries));
}

function blocksOf(entry: TarEntry): readonly Buffer[] {
  const {path, type = '0', content = '', mode = 0o644, target = ''} = entry;
  const body = Buffer.from(content as string);
  const isLong = Buffer.byteLength(path) > 100 || Buffer.byteLength(target) > 100;
  const header = headerOf({
    path: isLong ? 'long' : path,
    type,
    mode,
    size: entry.size ?? body.length,
    target,
  });
  return [...(isLong ? paxOf({path, linkpath: target}) : []), header, padded(body)];
}

function headerOf(fields: {path: string; type: string; mode: number; size: number; target: string}): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(fields.path, 0, 100);
  header.write(`${octal(fields.mode, 7)}\0`, 100);
  header.write(`${octal(0, 7)}\0${octal(0, 7)}\0`, 108);
  header.write(`${octal(fields.size, 11)}\0${octal(0, 11)}\0`, 124);
  header.write('        ', 148);
  header.write(fields.type, 156);
  header.write(fields.target.slice(0, 100), 157, 100);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

function paxOf(fields: Readonly<Record<string, string>>): readonly Buffer[] {
  const records = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => recordOf(key, value));
  const body = Buffer.concat(records);
  return [headerOf({path: 'pax', type: 'x', mode: 0o644, size: body.length, target: ''}), padded(body)];
}

/** A record starts with its own length. */
function recordOf(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest;
  while (String(length).length + rest !== length) length = String(length).length + rest;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function padded(body: Buffer): Buffer {
  return Buffer.concat([body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

export interface ZipEntry {
  readonly path: string;
  readonly content?: string | Uint8Array;
  /** Includes the Unix type bits: 0o120777 is a link, whose target is the content. */
  readonly mode?: number;
  /** The size in the zip, if it is not the real one. */
  readonly size?: number;
}

/** A zip as made on Unix, everything deflated. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  let offset = 0;
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  for (const {path, content = '', mode = 0o100644, size} of entries) {
    const body = Buffer.from(content as string);
    const packed = deflateRawSync(body);
    const name = Buffer.from(path);
    // Version, names in UTF-8, deflated, no time, checksum, sizes, length of the name.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x0800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(body), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(size ?? body.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, packed]);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), facts, rest, name]));
    local.push(entry);
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
