import {readFileSync, writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {format, resolveConfig} from 'prettier';
import {commands} from '../src/app/commands/index.ts';
import {helpSections} from '../src/app/pages/help-page.ts';
import {completionSpec, type CommandSpec} from '../src/cli/completion/completion-spec.ts';
import {EXIT_CODES} from '../src/cli/exit-codes.ts';
import {
  DEFAULTS,
  settingFields,
  VARIABLES,
  type SettingName,
} from '../src/storage/settings/settings-schema.ts';

/** The tables of docs/ that are generated from the program: `npm run reference` writes them, and a test compares them. */
const TABLES: Readonly<Record<string, () => string>> = {
  options: () => optionRows(completionSpec().find(({path}) => path === '')),
  'exit-codes': () =>
    table(
      ['code', 'meaning'],
      EXIT_CODES.map(([code, meaning]) => [String(code), meaning]),
    ),
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
export const PAGES = ['docs/command-line.md', 'docs/commands.md', 'docs/keys.md', 'docs/configuration.md'];

/** Returns a page with its current tables; throws on an unknown table name. */
export async function written(page: string): Promise<string> {
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

function optionRows(spec: CommandSpec | undefined): string {
  const options = (spec?.options ?? []).filter(({usage}) => usage !== HELP);
  if (options.length === 0) return '';
  return table(
    ['option', 'meaning'],
    options.map(({usage, description}) => [code(usage), description]),
  );
}

/** Every command has it. */
const HELP = '-h, --help';

function subcommandSections(): string {
  return completionSpec()
    .filter(({path}) => path !== '')
    .map((spec) => {
      const inner = spec.subcommands.map(({name, description}) => [
        code(`${spec.path} ${name}`),
        description,
      ]);
      const parts = [inner.length > 0 ? table(['subcommand', 'does'], inner) : '', optionRows(spec)];
      return [`### ${code(`acp-tui ${spec.path}`)}`, ...parts.filter(Boolean)].join('\n\n');
    })
    .join('\n\n');
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
  const names = Object.keys(settingFields).sort() as SettingName[];
  const rows = names.map((name) => {
    const usual: unknown = (DEFAULTS as Readonly<Record<string, unknown>>)[name];
    const {allowed, description} = settingFields[name];
    return [code(name), description, allowed, usual === undefined ? '' : code(JSON.stringify(usual))];
  });
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
  for (const page of PAGES) writeFileSync(new URL(page, ROOT), await written(page));
}
