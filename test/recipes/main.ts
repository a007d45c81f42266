// Runs the recipes of docs/guides/recipes.md as their readers do: each with the packed package and with a service of its own,
// whose calls are compared. Packages are kept in a folder for the next time.
//   npm run recipes               all but those that are for the hand
//   npm run recipes -- nextjs     these
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage } from './install.ts';
import { RECIPES } from './recipes.ts';
import { runRecipe } from './run-recipe.ts';

const named = process.argv.slice(2);
const unknown = named.filter((name) => RECIPES[name] === undefined);
if (unknown.length > 0) throw new Error(`There is no recipe "${unknown.join('", "')}"`);

const folder = mkdtempSync(join(tmpdir(), 'spoor-recipes-'));
try {
  const tarball = packPackage(folder);
  for (const [name, recipe] of Object.entries(RECIPES)) {
    if (named.length > 0 && !named.includes(name)) continue;
    if (named.length === 0 && recipe.byHand !== undefined) {
      process.stdout.write(`- ${name}: by hand, ${recipe.byHand}\n`);
      continue;
    }
    const started = performance.now();
    const problem = await runRecipe(name, { recipe, tarball, folder });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(`${problem === undefined ? '✓' : '✗'} ${name}, ${seconds} s\n${problem ?? ''}`);
    if (problem !== undefined) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
