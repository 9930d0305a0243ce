import type * as sqliteModule from 'node:sqlite';

let loaded: typeof sqliteModule | undefined;

/** `node:sqlite`, loaded when it is first needed. */
export function sqlite(): typeof sqliteModule {
  loaded ??= quietly(() => process.getBuiltinModule('node:sqlite'));
  return loaded;
}

/** Some Node versions warn when it is loaded that it is experimental; that warning would land on the screen. */
function quietly<T>(load: () => T): T {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

export type DatabaseSync = sqliteModule.DatabaseSync;
