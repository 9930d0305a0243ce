import {createFileSystem} from './file-system.ts';
import {createGrants} from './grants.ts';
import type {HostContext} from './host-context.ts';
import {createPermissionDesk} from './permission-desk.ts';
import {loadPty} from './pty-process.ts';
import {createTerminal, requestPermission, write} from './requests.ts';
import {createRoots} from './roots.ts';
import type {Host, HostOptions} from './services.ts';
import {createTerminals} from './terminals.ts';

/** Joins files, commands and permission for one agent. Folders are resolved here, once. */
export function createHost(options: HostOptions): Host {
  const {env, onWritten, person} = options;
  const roots = createRoots(options.cwd, options.additionalDirectories);
  const context: HostContext = {
    options,
    roots,
    files: createFileSystem({roots, onWritten}),
    terminals: createTerminals({
      roots,
      env,
      listener: options.terminals,
      // Where nobody can type, a command that asks must fail and not wait.
      loadPty: person ? loadPty : undefined,
    }),
    grants: createGrants(),
    desk: createPermissionDesk({person, listener: options.permissions}),
    level: options.approval,
    cancelling: new AbortController(),
  };
  return {
    requestPermission: (asked, signal) => requestPermission(context, asked, signal),
    read: (request, signal) => context.files.read(request, signal),
    write: (request, signal) => write(context, request, signal),
    createTerminal: (request, signal) => createTerminal(context, request, signal),
    terminals: context.terminals,
    answer: (id, answer) => context.desk.answer(id, answer),
    cancelPending() {
      context.cancelling.abort();
      context.cancelling = new AbortController();
    },
    turnStarted: () => context.grants.turnStarted(),
    setApproval(level) {
      context.level = level;
    },
    denied: () => context.desk.denied(),
  };
}
