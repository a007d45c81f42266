// Writes made-up traces of one kind or another into the service that runs here, to look at its page with:
// `npm run seed -- hostile deep`. Without a name it lists those there are; `all` is all of them but the two large ones,
// `--project` names another project. It prints where each is to be seen.
import { parseArgs } from 'node:util';
import { createReader } from 'spoor/reader';
import { writeSeeds } from './write-seeds.ts';
import { SEEDS } from './all-seeds.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { project: { type: 'string', default: 'local/seeds' } },
});

if (positionals.length === 0) {
  for (const [name, { about }] of Object.entries(SEEDS)) console.log(`${name.padEnd(16)} ${about}`);
} else {
  const reader = createReader({ project: values.project });
  const { url } = await reader.page.session.read();
  for (const path of await writeSeeds(reader, positionals)) console.log(`${url}/ui/${values.project}/${path}`);
}
