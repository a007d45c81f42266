import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RECIPES } from '../recipes/recipes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'examples', 'recipes');
const page = readFileSync(join(ROOT, 'docs', 'guides', 'recipes.md'), 'utf8');

/** A file of a recipe, and what the page shows of it. */
const shown = [...page.matchAll(/^`([^`\n]+)`:\n\n```\w+\n([\s\S]*?)^```/gm)].map(([, file = '', text = '']) => ({
  file,
  text,
}));

test('the page shows the programs that are run', () => {
  expect(shown.length).toBeGreaterThan(8);
  for (const { file, text } of shown)
    expect({ file, text }).toEqual({ file, text: readFileSync(join(FOLDER, file), 'utf8') });
});

test('every recipe is run, and shown', () => {
  const recipes = readdirSync(FOLDER).toSorted();
  expect(Object.keys(RECIPES).toSorted()).toEqual(recipes);
  expect(new Set(shown.map(({ file }) => file.split('/')[0]))).toEqual(new Set(recipes));
});

/** The package that a recipe is of. */
const SUBJECTS: Readonly<Record<string, string>> = { 'jest-commonjs': 'jest', nestjs: '@nestjs/core', nextjs: 'next' };

test('recipes name exact versions, and the page says which', () => {
  const table = page.slice(0, page.indexOf('\n## '));
  for (const recipe of readdirSync(FOLDER)) {
    const file = join(FOLDER, recipe, 'package.json');
    expect(existsSync(file)).toBe(true);
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
    const versions = Object.values({ ...dependencies, ...devDependencies });
    const subject = SUBJECTS[recipe] ?? recipe;
    const packages: Readonly<Record<string, unknown>> = { ...dependencies, ...devDependencies };
    expect(table).toContain(String(packages[subject]));
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
  }
});
