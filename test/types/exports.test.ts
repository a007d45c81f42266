import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5-9';
import { beforeAll, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Entries whose names the page lists, and entries that share types with them. */
const LISTED = {
  'spoor/server': 'server/create-server',
  'spoor/testing': 'testing/index',
  'spoor/instrument': 'instrument',
} as const;
const OTHERS = ['reader/reader', 'index', 'instrument'];

let program: ts.Program;

// A compiler that can be asked: the newest one cannot.
beforeAll(async () => {
  await buildOnce();
  const entries = [...Object.values(LISTED), ...OTHERS].map(declarationsOf);
  const { NodeNext: module } = ts.ModuleKind;
  program = ts.createProgram(entries, { module, strict: true, noEmit: true, skipLibCheck: true, types: ['node'] });
}, 120_000);

function declarationsOf(entry: string): string {
  return `${DIST}${entry}.d.ts`;
}

/** What an entry exports, each as it was declared. */
function exportsOf(entry: string): Map<string, ts.Symbol> {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(declarationsOf(entry));
  const symbol = file && checker.getSymbolAtLocation(file);
  const exported = symbol ? checker.getExportsOfModule(symbol) : [];
  return new Map(exported.map((each) => [each.name, declared(each)]));
}

function declared(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? program.getTypeChecker().getAliasedSymbol(symbol) : symbol;
}

/** The names of the tables below a heading, in their first cells. */
function listedBelow(heading: string): string[] {
  const page = readFileSync(new URL('../../docs/reference/exports.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split(`## \`${heading}\`\n`);
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

test.each(Object.entries(LISTED))('the page lists what %s exports, and nothing else', (name, entry) => {
  const listed = listedBelow(name);
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.toSorted()).toEqual([...exportsOf(entry).keys()].toSorted());
});

/** Types of this package that the declaration of a symbol names, and that other files can name, too. */
function namedBy(symbol: ts.Symbol): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    const named = ts.isTypeReferenceNode(node) ? node.typeName : undefined;
    const extended = ts.isExpressionWithTypeArguments(node) ? node.expression : undefined;
    const name = named ?? extended;
    const type = name && program.getTypeChecker().getSymbolAtLocation(name);
    if (type) found.push(declared(type));
    ts.forEachChild(node, visit);
  };
  for (const declaration of symbol.declarations ?? []) visit(declaration);
  return found.filter((type) => type.declarations?.every(isNamable));
}

function isNamable(declaration: ts.Declaration): boolean {
  const isOurs = declaration.getSourceFile().fileName.startsWith(DIST);
  return isOurs && (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0;
}

test.each(Object.entries(LISTED))('each type that %s names can be imported', (_name, entry) => {
  const importable = new Set([entry, ...OTHERS].flatMap((each) => [...exportsOf(each).values()]));
  const missing = [...exportsOf(entry)].flatMap(([name, symbol]) =>
    namedBy(symbol)
      .filter((type) => !importable.has(type))
      .map((type) => `${type.name}, which ${name} names`),
  );
  expect(missing).toEqual([]);
});
