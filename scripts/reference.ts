import {readFileSync, writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {format, resolveConfig} from 'prettier';
import {commands} from '../src/app/commands/index.ts';
import {helpSections} from '../src/app/pages/help-page.ts';
import {completionSpec, type CommandSpec} from '../src/modes/commands/completion/completion-spec.ts';
import {EXIT_CODES, FAILURE_CODES} from '../src/cli/exit-codes.ts';
import {DEFAULTS, describedFields, VARIABLES} from '../src/settings/schema/settings-schema.ts';
import {valueAt} from '../src/settings/setting-paths.ts';

/** The tables of docs/ that are generated from the program: `npm run reference` writes them, and a test compares them. */
const TABLES: Readonly<Record<string, () => string>> = {
  options: () => optionRows(completionSpec()[0]?.options ?? []),
  'exit-codes': () =>
    table(
      ['code', 'meaning'],
      EXIT_CODES.map(([code, meaning]) => [String(code), meaning]),
    ),
  'error-kinds': errorKindTable,
  subcommands: subcommandSections,
  commands: commandTable,
  keys: keySections,
  settings: settingTable,
  variables: () =>
    table(
      ['variable', 'setting'],
      VARIABLES.map(([variable, path]) => [code(variable), code(path.join('.'))]),
    ),
};

const ROOT = new URL('../', import.meta.url);

/** The pages with such tables. */
export const PAGES = [
  'docs/command-line.md',
  'docs/keys-and-commands.md',
  'docs/scripts.md',
  'docs/settings.md',
];

/** Returns a page with its current tables; throws on an unknown table name. */
export async function renderPage(page: string): Promise<string> {
  const text = readFileSync(new URL(page, ROOT), 'utf8').replace(
    /(?<=<!-- reference: ([\w-]+) -->\n)[^]*?(?=<!-- reference end -->)/g,
    (_old, name: string) => {
      const make = TABLES[name];
      if (!make) throw new Error(`${page}: no table is called "${name}"`);
      return `\n${make()}\n\n`;
    },
  );
  return format(text, {...(await resolveConfig(page)), filepath: page});
}

/** The failures by their exit codes. */
function errorKindTable(): string {
  const kinds = Object.groupBy(Object.entries(FAILURE_CODES), ([, exitCode]) => exitCode);
  const rows = Object.entries(kinds).map(([exitCode, of = []]) => [
    exitCode,
    of.map(([kind]) => code(kind)).join(', '),
  ]);
  return table(['exit code', '`error.kind`'], rows);
}

function optionRows(options: CommandSpec['options']): string {
  const rows = options
    .filter(({usage}) => usage !== HELP)
    .map(({usage, description}) => [code(usage), description]);
  return rows.length === 0 ? '' : table(['option', 'meaning'], rows);
}

/** Every command has it. */
const HELP = '-h, --help';

/** Subcommands with the same options share a section; those without any have none. */
function subcommandSections(): string {
  const [chat, ...others] = completionSpec();
  const sections = new Map<string, string[]>();
  for (const {path, subcommands, options} of others) {
    const inner = subcommands.map(({name, description}) => [code(`${path} ${name}`), description]);
    const isAsInChat = ({usage, description}: CommandSpec['options'][number]) =>
      chat?.options.some((option) => option.usage === usage && option.description === description) === true;
    const known = options.filter((option) => option.usage !== HELP && isAsInChat(option));
    const own = options.filter((option) => !known.includes(option));
    const parts = [
      inner.length > 0 ? table(['subcommand', 'does'], inner) : '',
      known.length > 0 ? `As in a chat: ${known.map(({usage}) => code(usage)).join(', ')}.` : '',
      optionRows(own),
    ];
    const text = parts.filter(Boolean).join('\n\n');
    if (text !== '') sections.set(text, [...(sections.get(text) ?? []), code(`acp-tui ${path}`)]);
  }
  return [...sections].map(([text, names]) => `### ${names.join(', ')}\n\n${text}`).join('\n\n');
}

function commandTable(): string {
  const rows = commands.map(({name, argument, description, aliases = []}) => [
    code([`/${name}`, argument].filter(Boolean).join(' ')),
    description,
    aliases.map((alias) => code(`/${alias}`)).join(' '),
  ]);
  return table(['command', 'does', 'also'], rows);
}

function keySections(): string {
  return helpSections()
    .filter(({title}) => title !== 'Commands')
    .map(
      ({title, rows}) =>
        `### ${title}\n\n${table(
          ['keys', 'does'],
          rows.map(({keys, does}) => [keys, does]),
        )}`,
    )
    .join('\n\n');
}

function settingTable(): string {
  const rows = describedFields
    .map(({path, allowed, description}) => {
      const usual = valueAt(DEFAULTS, path);
      return [
        code(path.join('.')),
        description,
        allowed,
        usual === undefined ? '' : code(JSON.stringify(usual)),
      ];
    })
    .toSorted(([one = ''], [other = '']) => one.localeCompare(other, 'en'));
  return table(['setting', 'meaning', 'allowed', 'default'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(row).join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const page of PAGES) writeFileSync(new URL(page, ROOT), await renderPage(page));
}
