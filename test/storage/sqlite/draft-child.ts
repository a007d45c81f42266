import { writeFileSync } from 'node:fs';
import { withDraft } from '../../../src/storage/sqlite/upkeep/copy-database.ts';

/** Works on a draft until it is told to end. */
const [draft = ''] = process.argv.slice(2);
await withDraft(draft, async () => {
  writeFileSync(draft, 'half');
  writeFileSync(`${draft}-journal`, '');
  process.stdout.write('at work\n');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
