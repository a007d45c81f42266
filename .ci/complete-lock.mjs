// Adds to package-lock.json the platform packages that npm left out. A registry mirror that lacks the packages of
// other platforms makes npm write a lock file without them, and such a lock file fails `npm ci` everywhere: run
// `node .ci/complete-lock.mjs` after each change of dependencies, and with the argument `bench` or `test/clickhouse` after one
// of those in that folder. Prints how many entries were added.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL(`../${process.argv[2] ?? '.'}/package-lock.json`, import.meta.url);
const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'aix'];
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32'];

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
let added = 0;
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  if (path === '') continue;
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const hasOne = lock.packages[`node_modules/${name}`] ?? lock.packages[`${path}/node_modules/${name}`];
    if (hasOne !== undefined || !/^\d/.test(version)) continue;
    lock.packages[`node_modules/${name}`] = entryOf(name, version, dev);
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, undefined, 2)}\n`);
console.log(`${added} entries added`);

/** What the name of a platform package says: `@scope/binding-linux-arm64-musl`. */
function entryOf(name, version, dev) {
  const parts = name.split(/[/-]/);
  const os = SYSTEMS.find((system) => parts.includes(system));
  const cpu = PROCESSORS.find((processor) => parts.includes(processor)) ?? 'any';
  return {
    version,
    cpu: [cpu],
    ...(dev ? { dev: true } : {}),
    optional: true,
    ...(os === undefined ? {} : { os: [os] }),
  };
}
