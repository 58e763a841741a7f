import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { HOUSES, LEAVES, SERVER } from './modules.mjs';

const houses: Record<string, readonly string[]> = HOUSES;
const modules: Record<string, readonly string[]> = SERVER;
const findHouse = (module: string) => module.split('/')[0] ?? '';

test('a module imports its own house, and houses that its house may import', () => {
  const wrong = Object.entries(modules).flatMap(([module, imports]) =>
    imports
      .filter(
        (other) => findHouse(other) !== findHouse(module) && !houses[findHouse(module)]?.includes(findHouse(other)),
      )
      .map((other) => `${module} → ${other}`),
  );
  expect(wrong).toEqual([]);
});

test('every arrow between two houses is used by a module', () => {
  const used = new Set(
    Object.entries(modules).flatMap(([module, imports]) =>
      imports.map((other) => `${findHouse(module)} → ${findHouse(other)}`),
    ),
  );
  const arrows = Object.entries(houses).flatMap(([house, others]) => others.map((other) => `${house} → ${other}`));
  // Every module may import the leaves, which are in the platform.
  expect(arrows.filter((arrow) => !used.has(arrow) && !arrow.endsWith('→ platform'))).toEqual([]);
});

test('a house imports no house above it', () => {
  const order = Object.keys(houses);
  for (const [house, others] of Object.entries(houses))
    for (const other of others) expect(order.indexOf(other), `${house} → ${other}`).toBeLessThan(order.indexOf(house));
});

test('every folder of the server is a house, and every module exists', () => {
  const folders = readdirSync('server', { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'testing' ? [entry.name] : [],
  );
  expect(folders.toSorted()).toEqual(Object.keys(houses).toSorted());
  const missing = [...LEAVES, ...Object.keys(modules)].filter(
    (module) => !existsSync(`server/${module}`) && !existsSync(`server/${module}.ts`),
  );
  expect(missing).toEqual([]);
});

test('every folder of a house is a module', () => {
  const known = new Set(Object.keys(modules));
  const unknown = Object.keys(houses)
    .filter((house) => !known.has(house))
    .flatMap((house) =>
      readdirSync(`server/${house}`).map((name) => `${house}/${name.replace(/(?:\.test)?\.ts$/, '')}`),
    )
    .filter((module) => !known.has(module));
  expect(unknown).toEqual([]);
});

const IMPORT_PATTERN = /(?:from|import)\s*\(?\s*'(@\/|\.{1,2}\/)([^']+)'/g;

/** The modules that a module imports, with type imports and dynamic ones. */
function readImports(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT_PATTERN)].flatMap(([, start = '', rest = '']) => {
    const base = start === '@/' ? rest : path.join(path.dirname(file), start + rest);
    return ['.ts', '.tsx', '/index.ts'].map((ending) => base + ending).find((each) => existsSync(each)) ?? [];
  });
}

test('no module imports itself through others, not even dynamically', () => {
  const unfinished = new Set<string>();
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: string[]) => {
    if (finished.has(file)) return;
    if (unfinished.has(file)) return void circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    unfinished.add(file);
    for (const imported of readImports(file)) visit(imported, [...way, file]);
    unfinished.delete(file);
    finished.add(file);
  };
  for (const folder of ['server', 'components', 'contract', 'import'])
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (/\.tsx?$/.test(file) && !/\.test\.|testing\//.test(file)) visit(path.join(folder, file), []);
  expect(circles).toEqual([]);
});
