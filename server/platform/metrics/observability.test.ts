import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { metricsRegistry } from './registry';

const read = (name: string) =>
  readFileSync(path.join(import.meta.dirname, '../../../deploy/observability', name), 'utf8');

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
}
interface Panel {
  id: number;
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const rules = (parse(read('alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('dashboard.json')) as { panels: Panel[] };
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** All names of series that this service exports, those of histograms included. */
const exported = new Set(
  metricsRegistry()
    .getMetricsAsArray()
    .flatMap(({ name, type }: { name: string; type?: unknown }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
);

test.each([
  ['alert rules', rules.map(({ expr }) => expr)],
  ['dashboard', queries],
])('each metric in the %s exists', (_, expressions) => {
  const named = expressions.flatMap((one) => [...one.matchAll(/\bweft_\w+/g)].map(([name]) => name));
  expect(named.length).toBeGreaterThanOrEqual(expressions.length - 1);
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});

test('each alert has a test, and says what it is', () => {
  const { tests } = parse(read('alerts.test.yaml')) as {
    tests: { alert_rule_test?: { alertname: string }[] }[];
  };
  const tested = tests.flatMap(({ alert_rule_test = [] }) => alert_rule_test.map(({ alertname }) => alertname));
  expect(rules.map(({ alert }) => alert)).toEqual(expect.arrayContaining([...new Set(tested)]));
  expect(rules.map(({ alert }) => alert).filter((alert) => !tested.includes(alert))).toEqual([]);
  for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(['summary', 'description']);
});

test('the panels of the dashboard do not overlap, and have titles and ids of their own', () => {
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.every(({ title }) => title !== '')).toBe(true);
});
