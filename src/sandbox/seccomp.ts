import {constants} from 'node:os';

/**
 * A seccomp filter (classic BPF, seccomp(2)) for bubblewrap's `--seccomp`: what namespaces and mounts do not stop. Refused calls fail with an error, so that
 * programs can fall back; calls of another architecture are refused altogether.
 */

const {EPERM, EACCES, ENOSYS} = constants.errno;

/** Calls by their numbers on x64 and arm64; undefined where there is none. */
type Call = readonly [name: string, x64: number, arm64?: number];

/** Calls that fail with EPERM: mounts and namespaces, which could undo the sandbox; keyrings and kernel interfaces, which no namespace separates. */
const FORBIDDEN: readonly Call[] = [
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['open_tree', 428, 428],
  ['open_tree_attr', 467, 467],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['unshare', 272, 97],
  ['setns', 308, 268],
  ['keyctl', 250, 219],
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['open_by_handle_at', 304, 265],
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['syslog', 103, 116],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['quotactl', 179, 60],
  ['acct', 163, 89],
  ['reboot', 169, 142],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['iopl', 172],
  ['ioperm', 173],
];

/** Calls that are reported as missing, so that programs use older ones that can be checked: io_uring makes sockets, and clone3 has its flags in memory. */
const MISSING: readonly Call[] = [
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['clone3', 435, 435],
];

const SOCKET: Call = ['socket', 41, 198];
const SOCKETPAIR: Call = ['socketpair', 53, 199];
const CLONE: Call = ['clone', 56, 220];
const IOCTL: Call = ['ioctl', 16, 29];

/** CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET. */
const NEW_NAMESPACE = 0x7e020000;
/** TIOCSTI types into a terminal, TIOCLINUX into the console. */
const TYPING = [0x5412, 0x541c];
/** Of a pair: one of datagrams could send to any socket that has a path. A raw one is one of datagrams, too. */
const [SOCK_STREAM, SOCK_SEQPACKET, SOCK_TYPE_MASK] = [1, 5, 0xf];
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16];

const ARCHITECTURES = {
  x64: {audit: 0xc000003e, column: 1},
  arm64: {audit: 0xc00000b7, column: 2},
} as const;

/** Offsets in `struct seccomp_data`; of an argument, the lower half. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number) => 16 + 8 * index;

/** The instructions in use: load a word, mask it, compare, return. */
const LOAD = 0x20;
const AND = 0x54;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const errorOf = (errno: number) => 0x00050000 | errno;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** True if there is a filter for this processor. */
export function hasFilter(arch: string): arch is keyof typeof ARCHITECTURES {
  return Object.hasOwn(ARCHITECTURES, arch);
}

/** Returns the filter, as bubblewrap reads it. Unix sockets can be created only if `sockets` is `all`. */
export function seccompFilter(arch: keyof typeof ARCHITECTURES, sockets: 'none' | 'all'): Uint8Array {
  const {audit, column} = ARCHITECTURES[arch];
  const families = [AF_INET, AF_INET6, AF_NETLINK, ...(sockets === 'all' ? [AF_UNIX] : [])];
  const when = (call: Call, then: readonly Instruction[]): readonly Instruction[] => {
    const number = call[column];
    return number === undefined ? [] : [[IF_EQUAL, 0, then.length, number], ...then];
  };
  const refuse = (errno: number): Instruction => [RETURN, 0, 0, errorOf(errno)];
  const allow: Instruction = [RETURN, 0, 0, ALLOW];
  const instructions: readonly Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 1, 0, audit],
    refuse(EPERM),
    [LOAD, 0, 0, NUMBER],
    // Numbers of the x32 interface, which has the same architecture.
    ...(arch === 'x64' ? ([[IF_AT_LEAST, 0, 1, 0x40000000], refuse(ENOSYS)] as const) : []),
    ...FORBIDDEN.flatMap((call) => when(call, [refuse(EPERM)])),
    ...MISSING.flatMap((call) => when(call, [refuse(ENOSYS)])),
    // Other families reach the host past the network namespace, as vsock does, or the kernel's drivers.
    ...when(SOCKET, [
      [LOAD, 0, 0, argument(0)],
      ...families.flatMap((family): Instruction[] => [[IF_EQUAL, 0, 1, family], allow]),
      refuse(EACCES),
    ]),
    ...(sockets === 'all'
      ? []
      : when(SOCKETPAIR, [
          [LOAD, 0, 0, argument(1)],
          [AND, 0, 0, SOCK_TYPE_MASK],
          [IF_EQUAL, 1, 0, SOCK_STREAM],
          [IF_EQUAL, 0, 1, SOCK_SEQPACKET],
          allow,
          refuse(EACCES),
        ])),
    ...when(CLONE, [[LOAD, 0, 0, argument(0)], [IF_ANY_BIT, 0, 1, NEW_NAMESPACE], refuse(EPERM), allow]),
    ...when(IOCTL, [
      [LOAD, 0, 0, argument(1)],
      ...TYPING.flatMap((request): Instruction[] => [[IF_EQUAL, 0, 1, request], refuse(EPERM)]),
    ]),
    allow,
  ];
  const bytes = Buffer.alloc(8 * instructions.length);
  for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(ifTrue, 8 * index + 2);
    bytes.writeUInt8(ifFalse, 8 * index + 3);
    bytes.writeUInt32LE(value, 8 * index + 4);
  }
  return bytes;
}
