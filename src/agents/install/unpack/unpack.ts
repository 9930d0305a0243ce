import {copyFile, mkdir, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {failed} from '../../../file-failed.ts';
import type {Result} from '../../../failure.ts';
import {asItIs, bunzip2, gunzip} from './decompress.ts';
import {BadArchive} from './entry.ts';
import {createFolderWriter} from './folder-writer.ts';
import {formOf} from './form.ts';
import {createMeter, UNPACK_LIMITS, type UnpackLimits} from './limits.ts';
import {namesIn} from './names.ts';

export interface Unpacking {
  readonly archive: string;
  /** Empty, and nobody else's. */
  readonly folder: string;
  /** Where a file goes that is no archive but the program itself; undefined where it must be an archive. */
  readonly program: string | undefined;
  readonly limits?: UnpackLimits;
  /** So many bytes more were written. */
  readonly onBytes?: (count: number) => void;
  /** Calls it off; whoever does so knows why it failed. */
  readonly signal?: AbortSignal | undefined;
}

const readers = {gzip: gunzip, bzip2: bunzip2, tar: asItIs};

/**
 * Unpacks a tar (plain, gzip or bzip2) or a zip into a folder: files, folders, and links that stay within it. Failures are `bad_archive`,
 * with what is wrong with it, and `file`; the folder is to be thrown away then.
 */
export async function unpack({
  archive,
  folder,
  program,
  limits = UNPACK_LIMITS,
  onBytes,
  signal,
}: Unpacking): Promise<Result<void>> {
  try {
    const form = await formOf(archive);
    // What a tar decompresses to and what its files add up to are counted each by itself.
    const meter = async () => createMeter(limits, (await stat(archive)).size, signal);
    const written = await meter();
    const writer = createFolderWriter(folder, {
      entry: written.entry,
      bytes(count) {
        written.bytes(count);
        onBytes?.(count);
      },
    });
    if (form === 'zip') {
      const {readZip} = await import('./zip.ts');
      await readZip(archive, writer.add);
    } else if (form === 'gzip' || form === 'bzip2' || form === 'tar') {
      const {readTar} = await import('./tar.ts');
      await readTar(readers[form](archive, await meter()), writer.add);
    } else if (form === 'other' && program !== undefined) {
      const place = join(folder, ...namesIn(program));
      await mkdir(dirname(place), {recursive: true});
      await copyFile(archive, place);
    } else {
      throw new BadArchive(
        form === 'other' ? 'it is no archive' : `it is packed with ${form}, which is not known here`,
      );
    }
    await writer.finish();
    return {ok: true, value: undefined};
  } catch (error) {
    if (error instanceof BadArchive)
      return {ok: false, failure: {kind: 'bad_archive', problem: error.message}};
    return failed(folder, error);
  }
}
