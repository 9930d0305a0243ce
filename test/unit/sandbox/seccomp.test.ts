import {constants} from 'node:os';
import {describe, expect, test} from 'vitest';
import {seccompFilter} from '../../../src/sandbox/seccomp.ts';

const {EPERM, EACCES, ENOSYS} = constants.errno;
const NATIVE = {x64: 0xc000003e, arm64: 0xc00000b7} as const;

/** Runs a filter as the kernel does, for the instructions in use. Returns 0 if the call is allowed, otherwise its error. */
function result(
  filter: Uint8Array,
  {number, architecture, args = []}: {number: number; architecture: number; args?: readonly number[]},
): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(architecture, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  const program = Buffer.from(filter);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(8 * at);
    const [ifTrue, ifFalse] = [program.readUInt8(8 * at + 2), program.readUInt8(8 * at + 3)];
    const value = program.readUInt32LE(8 * at + 4);
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += accumulator === value ? ifTrue : ifFalse;
    else if (code === 0x35) at += accumulator >= value ? ifTrue : ifFalse;
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else if (code === 0x45) at += (accumulator & value) !== 0 ? ifTrue : ifFalse;
    else if (code === 0x06) return value === 0x7fff0000 ? 0 : value & 0xffff;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error('the filter has no end');
}

describe.each(['x64', 'arm64'] as const)('the filter for %s', (arch) => {
  const architecture = NATIVE[arch];
  const of = (x64: number, arm64: number) => (arch === 'x64' ? x64 : arm64);
  const call = (number: number, ...args: number[]) =>
    result(seccompFilter(arch, 'none'), {number, architecture, args});

  test('allows what programs need', () => {
    const read = of(0, 63);
    const [exec, fork] = [of(59, 221), of(56, 220)];
    expect([call(read, 3), call(exec), call(fork, 0x01200011)]).toEqual([0, 0, 0]);
    expect(call(of(41, 198), 2, 1)).toBe(0);
    expect(call(of(41, 198), 10, 2)).toBe(0);
    expect(call(of(53, 199), 1, 1), 'a pair of sockets').toBe(0);
    expect(call(of(16, 29), 0, 0x5413), 'the size of a terminal').toBe(0);
  });

  test('refuses other sockets, and Unix sockets unless they are wanted', () => {
    const socket = of(41, 198);
    for (const family of [1, 17, 31, 38, 40]) expect(call(socket, family, 1)).toBe(EACCES);
    const all = seccompFilter(arch, 'all');
    expect(result(all, {number: socket, architecture, args: [1, 1]})).toBe(0);
    expect(result(all, {number: socket, architecture, args: [40, 1]})).toBe(EACCES);
  });

  test('refuses namespaces, mounts and keyrings', () => {
    for (const number of [of(165, 40), of(272, 97), of(308, 268), of(250, 219), 428])
      expect(call(number)).toBe(EPERM);
    expect(call(of(56, 220), 0x10000011), 'a user namespace').toBe(EPERM);
    expect(call(435)).toBe(ENOSYS);
    expect(call(425)).toBe(ENOSYS);
  });

  test('refuses to type into terminals, whatever the upper half of the request', () => {
    expect(call(of(16, 29), 0, 0x5412)).toBe(EPERM);
    expect(call(of(16, 29), 0, 0x1_0000_5412)).toBe(EPERM);
    expect(call(of(16, 29), 0, 0x541c)).toBe(EPERM);
  });

  test('refuses the calls of other architectures', () => {
    const filter = seccompFilter(arch, 'none');
    expect(result(filter, {number: 1, architecture: 0x40000003})).toBe(EPERM);
  });

  test.runIf(arch === 'x64')('refuses the second numbers of the same calls', () => {
    expect(call(0x40000000 + 41, 1)).toBe(ENOSYS);
  });
});
