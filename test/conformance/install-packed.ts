import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The package as a user gets it, installed twice, as it is where two dependencies bring it along. */
export interface Installed {
  /** Folder of the program that uses it. */
  readonly folder: string;
  readonly program: string;
  /** The entry of the second copy. */
  readonly copy: string;
}

export function installPacked(folder: string): Installed {
  const flags = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const tarball = execFileSync('npm', flags, { cwd: ROOT, encoding: 'utf8' }).trim();
  // What the package depends on is found above both.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const [app = '', other = ''] = ['app', 'other'].map((name) => {
    const target = join(folder, name, 'node_modules', 'spoor');
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, tarball), '-C', target, '--strip-components=1']);
    return join(folder, name);
  });
  const program = join(app, 'app.js');
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  copyFileSync(join(ROOT, 'test', 'conformance', 'app.js'), program);
  return { folder: app, program, copy: join(other, 'node_modules', 'spoor', 'dist', 'index.js') };
}
