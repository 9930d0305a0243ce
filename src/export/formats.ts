import type {ExportFormat, ExportName} from './format.ts';

/** The forms in which a session can be exported; each is loaded when it is written. */
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

/** The form of that name, or with files that end so: `markdown` or `md`. */
export function exportFormat(name: string): ExportFormat | undefined {
  const wanted = name.toLowerCase();
  return Object.values(EXPORT_FORMATS).find(({name, extension}) => name === wanted || extension === wanted);
}

/** The form that the name of a file asks for. */
export function formatOfFile(path: string): ExportFormat | undefined {
  const [, extension] = /\.(\w+)$/.exec(path) ?? [];
  return extension === undefined ? undefined : exportFormat(extension);
}

const MAX_NAME_LENGTH = 60;

/** A name for the file of a session: its title, with what no file system minds. */
export function suggestedName(title: string, {extension}: Pick<ExportFormat, 'extension'>): string {
  const words = title
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return `${words === '' ? 'session' : words}.${extension}`;
}
