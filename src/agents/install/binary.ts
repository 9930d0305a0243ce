import {chmod, mkdir, open, realpath, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {shownAddress} from '../../download/address.ts';
import {downloadFile} from '../../download/download.ts';
import {installFailed} from './failures.ts';
import type {MakeAgent} from './kind.ts';
import {isWithin} from './manifest.ts';
import {unpack} from './unpack/unpack.ts';

const MIB = 1024 * 1024;
/** The largest archives of the registry have some hundred. */
const LIMIT_BYTES = 2048 * MIB;

/** What says that a file is an archive, whatever is in it. */
const ARCHIVE_NAME = /\.(?:zip|tar|tar\.\w+|tgz|tbz2?|txz)$/i;

/** A program built for this computer, in an archive or by itself. */
export const makeBinary: MakeAgent<'binary'> = async (plan, {folder, scratch, signal, onStep}) => {
  const {id, archive: address, sha256, cmd, args, env} = plan;
  const archive = join(scratch, 'archive');
  const downloaded = await downloadFile(address, archive, {
    limitBytes: LIMIT_BYTES,
    signal,
    onProgress: (progress) => onStep?.({kind: 'download', ...progress}),
  });
  if (!downloaded.ok) return downloaded;
  const got = downloaded.value.sha256;
  if (sha256 !== undefined && sha256.toLowerCase() !== got) {
    return installFailed(id, 'checksum', `${got} instead of ${sha256.toLowerCase()}`);
  }
  const files = join(folder, 'files');
  await mkdir(files);
  const program = cmd.replaceAll('\\', '/');
  const from = new URL(address);
  const mayBeProgram = !ARCHIVE_NAME.test(from.pathname);
  let bytes = 0;
  const unpacked = await unpack({
    archive,
    folder: files,
    program: mayBeProgram ? program : undefined,
    onBytes: (more) => onStep?.({kind: 'unpack', bytes: (bytes += more)}),
    signal,
  });
  if (!unpacked.ok) return unpacked;
  if (!(await makeExecutable(files, program))) return installFailed(id, 'no_program', cmd);
  const start = {command: `./files/${program.replace(/^\.\//, '')}`, args, env};
  return {ok: true, value: {from: shownAddress(from), sha256: got, start}};
};

/** Whether there is such a program in the folder. */
async function makeExecutable(folder: string, program: string): Promise<boolean> {
  try {
    const file = await realpath(join(folder, program));
    if (!isWithin(file, await realpath(folder)) || !(await stat(file)).isFile()) return false;
    await chmod(file, 0o755);
    await writeThrough(file);
    return true;
  } catch {
    return false;
  }
}

/** Without this file nothing works: a power failure must not leave half of it. */
async function writeThrough(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
