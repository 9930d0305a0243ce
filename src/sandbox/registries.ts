import {readdir} from 'node:fs/promises';

/** The hosts of package registries, by the files of a project that uses them. */
const REGISTRIES: Readonly<Record<string, readonly string[]>> = {
  'package.json': ['registry.npmjs.org'],
  'yarn.lock': ['registry.yarnpkg.com'],
  'deno.json': ['jsr.io', 'deno.land'],
  'Cargo.toml': ['crates.io', 'index.crates.io', 'static.crates.io'],
  'go.mod': ['proxy.golang.org', 'sum.golang.org'],
  'pyproject.toml': ['pypi.org', 'files.pythonhosted.org'],
  'requirements.txt': ['pypi.org', 'files.pythonhosted.org'],
  Gemfile: ['rubygems.org', 'index.rubygems.org'],
  'composer.json': ['packagist.org', 'repo.packagist.org'],
  'pom.xml': ['repo.maven.apache.org', 'repo1.maven.org'],
  'build.gradle': ['repo.maven.apache.org', 'plugins.gradle.org', 'services.gradle.org'],
  'build.gradle.kts': ['repo.maven.apache.org', 'plugins.gradle.org', 'services.gradle.org'],
  'mix.exs': ['hex.pm', 'repo.hex.pm'],
  'pubspec.yaml': ['pub.dev'],
};

/** Returns the package registries of the projects in these folders. */
export async function registriesOf(folders: readonly string[]): Promise<readonly string[]> {
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return [
    ...new Set(names.flat().flatMap((name) => (Object.hasOwn(REGISTRIES, name) ? REGISTRIES[name]! : []))),
  ];
}
