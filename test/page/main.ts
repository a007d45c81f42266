// The page while one works on it: `npm run page` starts a service with a day of made-up calls and Vite's server before
// it, which shows what changes in `src/ui` at once. `--seed hostile,deep` writes other things instead (`npm run seed` lists
// them) and prints where each is; `--traces 20000` makes more of the day, `--service` stops after the service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import { PAGE } from '../../bundle-page.ts';
import { createReader } from '../../src/reader/reader.ts';
import { seed } from '../../examples/seeds/day.ts';
import { writeSeeds } from '../../examples/seeds/write-seeds.ts';

const PROJECT = 'local/support-agent';

const { values } = parseArgs({
  options: {
    traces: { type: 'string', default: '2000' },
    seed: { type: 'string' },
    service: { type: 'boolean', default: false },
  },
});

const home = await mkdtemp(join(tmpdir(), 'spoor-page-'));
const env = { ...process.env, SPOOR_HOME: home };
const service = spawn(process.execPath, ['dist/cli/bin.cjs', 'serve', '--port', '0', '--data', join(home, 'data')], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const stop = async () => {
  service.kill();
  await once(service, 'exit');
  await rm(home, { recursive: true, force: true });
  process.exit();
};
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());

const { url, apiKey } = await running();
const reader = createReader({ url, apiKey, project: PROJECT });
let places = ['calls'];
if (values.seed === undefined) await seed(reader, { traces: Number(values.traces), now: Date.now() });
else places = await writeSeeds(reader, values.seed.split(','));
if (values.service) {
  console.log(`${url}/ui/login#${await entry()}`);
} else {
  // The service answers those only who ask it by its own name.
  const proxied = { target: url, changeOrigin: true };
  const vite = await createServer({
    ...PAGE,
    cacheDir: join(home, 'vite'),
    server: { host: '127.0.0.1', proxy: { '/x': { ...proxied, headers: { origin: url } } } },
  });
  await vite.listen();
  const address = vite.resolvedUrls?.local[0] ?? '';
  console.log(`${address}login#${await entry()}`);
  for (const place of places.slice(1)) console.log(`${address}${PROJECT}/${place}`);
}

/** Resolves when the service has said where it is. */
async function running(): Promise<{ readonly url: string; readonly apiKey: string }> {
  await once(service.stdout, 'data');
  return JSON.parse(await readFile(join(home, 'server.json'), 'utf8')) as { url: string; apiKey: string };
}

/** What logs in once, and leads to the first of what was written. */
async function entry(): Promise<string> {
  const { token } = await reader.page.session.createToken();
  return new URLSearchParams({ token, to: `/${PROJECT}/${places[0] ?? 'calls'}` }).toString();
}
