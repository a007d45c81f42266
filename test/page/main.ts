// The page while one works on it: `npm run page` starts a service with a day of made-up calls and Vite's server before
// it, which shows what changes in `src/ui` at once. `--traces 20000` makes more of them, `--service` stops after the service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import { PAGE } from '../../bundle-page.ts';
import { createReader } from '../../src/reader/reader.ts';
import { seed } from './seed.ts';

const PROJECT = 'local/support-agent';

const { values } = parseArgs({
  options: { traces: { type: 'string', default: '2000' }, service: { type: 'boolean', default: false } },
});

const home = await mkdtemp(join(tmpdir(), 'spoor-page-'));
const env = { ...process.env, SPOOR_HOME: home };
const service = spawn(process.execPath, ['dist/cli/main.js', 'serve', '--port', '0', '--data', join(home, 'data')], {
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
await seed(reader, { traces: Number(values.traces), now: Date.now() });
if (values.service) {
  console.log(`${url}/ui/login#token=${await newToken()}`);
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
  console.log(`${address}login#token=${await newToken()}`);
}

/** Resolves when the service has said where it is. */
async function running(): Promise<{ readonly url: string; readonly apiKey: string }> {
  await once(service.stdout, 'data');
  return JSON.parse(await readFile(join(home, 'server.json'), 'utf8')) as { url: string; apiKey: string };
}

async function newToken(): Promise<string> {
  return (await reader.page.session.createToken()).token;
}
