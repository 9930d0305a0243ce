import type {ExportFormat, ExportName} from './format.ts';

/** The export formats, loaded on demand. */
export const EXPORT_FORMATS: {readonly [Name in ExportName]: ExportFormat} = {
  markdown: {
    name: 'markdown',
    extension: 'md',
    write: async (document, pace) => (await import('./markdown.ts')).writeMarkdown(document, pace),
  },
  html: {
    name: 'html',
    extension: 'html',
    write: async (document, pace) => (await import('./html/page.ts')).writeHtml(document, pace),
  },
  json: {
    name: 'json',
    extension: 'json',
    write: async (document, pace) => (await import('./json/json.ts')).writeJson(document, pace),
  },
};

/** Returns the format of that name or file extension: `markdown` or `md`. */
export function exportFormat(name: string): ExportFormat | undefined {
  const wanted = name.toLowerCase();
  return Object.values(EXPORT_FORMATS).find(({name, extension}) => name === wanted || extension === wanted);
}

/** Returns the format for a file name's extension. */
export function formatOfFile(path: string): ExportFormat | undefined {
  const [, extension] = /\.(\w+)$/.exec(path) ?? [];
  return extension === undefined ? undefined : exportFormat(extension);
}

const MAX_NAME_LENGTH = 60;

/** Returns a file name for a session: its title, in characters valid on every file system. */
export function suggestedName(title: string, {extension}: Pick<ExportFormat, 'extension'>): string {
  const words = title
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/^-+|(?<!-)-+$/g, '');
  return `${words === '' ? 'session' : words}.${extension}`;
}
