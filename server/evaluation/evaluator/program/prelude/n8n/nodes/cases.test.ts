import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWorkflowCase, parseCases, type CaseItem, type NodeCase } from '@/import/n8n/cases/node-case';
import { callExpressionFunction } from '@/server/evaluation/evaluator/functions';
import type { N8nItemScope } from '../item-scope';
import { readItem, writeItem, type N8nItem } from '../items';
import { ITEM_FUNCTIONS, LIST_FUNCTIONS, MERGE_FUNCTIONS, TEST_FUNCTIONS } from '.';

const FOLDER = path.join(import.meta.dirname, '../../../../../../../import/n8n/cases');
const FILES = ['set', 'conditions', 'switch', 'merge', 'lists', 'values'];
const readCases = (file: string): NodeCase[] =>
  parseCases(readFileSync(path.join(FOLDER, `${file}.jsonl`), 'utf8')).flatMap((one) =>
    isWorkflowCase(one) ? [] : [one],
  );

// The sandbox has luxon and functions of the service as globals.
const { DateTime } = createRequire(import.meta.url)('luxon') as { DateTime: unknown };
const call =
  (name: string) =>
  (...values: unknown[]) =>
    callExpressionFunction(name, values, 'UTC');
const helpers = { hash: call('hash'), hmac: call('hmac'), uuid: call('uuid') };
beforeAll(() => Object.assign(globalThis, { DateTime, helpers }));
afterAll(() => Reflect.deleteProperty(globalThis, 'DateTime'));

const NAMES = ['$json', '$input', '$itemIndex'];

/** The parameters of a case as the service gives them: each text with expressions is a function. */
function toParameters(value: unknown, items: N8nItem[], index: number): unknown {
  const inside = (one: unknown) => toParameters(one, items, index);
  if (Array.isArray(value)) return value.map(inside);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inside(one)]));
  if (typeof value !== 'string' || !value.startsWith('=')) return value;
  const scope = [items[index]?.json, { item: items[index], first: () => items[0], all: () => items }, index];
  const evaluate = (code: string) => new Function(...NAMES, `return (${code})`)(...scope) as unknown;
  const parts = value.slice(1).split(/\{\{([\s\S]*?)\}\}/);
  return () =>
    parts.length === 3 && parts[0] === '' && parts[2] === ''
      ? evaluate(parts[1] ?? '')
      : parts.map((part, place) => (place % 2 ? evaluate(part) : part)).join('');
}

/** JSON with expressions is a list of texts and values; code to sort is a function. */
function prepare({ parameters = {} }: NodeCase): Record<string, unknown> {
  const split = (value: unknown) =>
    typeof value === 'string' && value.startsWith('=')
      ? value
          .slice(1)
          .split(/(\{\{[\s\S]*?\}\})/)
          .map((part, index) => (index % 2 ? `=${part}` : part))
      : value;
  const more: Record<string, unknown> = {};
  if (typeof parameters['html'] === 'string') more['html'] = split(`=${parameters['html'].replace(/^=/, '')}`);
  if (parameters['jsonOutput'] !== undefined) more['jsonOutput'] = split(parameters['jsonOutput']);
  return { ...parameters, ...more };
}

function run(one: NodeCase): unknown[][] {
  const given = (one.inputs ?? [one.items ?? []]).map((list) => list.map(readItem));
  const [items = []] = given;
  const parameters = prepare(one);
  const at = (index: number, list = items) => toParameters(parameters, list, index) as Record<string, unknown>;
  const ports: N8nItem[][] = Array.from({ length: one.ports ?? 1 }, () => []);
  const { version } = one;
  const type = functionName(one);
  const perItem = ITEM_FUNCTIONS[type];
  const decide = TEST_FUNCTIONS[type];
  const merge = MERGE_FUNCTIONS[type];
  const code = parameters['code'];
  const compare = typeof code === 'string' ? { compare: new Function('a', 'b', code) } : {};
  if (merge) for (const port of ports.keys()) ports[port] = merge(version, { ...at(0), port }, structuredClone(given));
  else if (perItem)
    ports[0] = items.flatMap((item, index) =>
      perItem(version, at(index), { item, items, index } as unknown as N8nItemScope),
    );
  else if (decide)
    for (const [index, item] of items.entries()) {
      const found = decide(version, at(index), { item, items, index } as unknown as N8nItemScope);
      const outputs = Array.isArray(found) ? (found as number[]) : found ? [0] : type === 'filter' ? [] : [1];
      for (const output of outputs) ports[output]?.push(item);
    }
  else ports[0] = LIST_FUNCTIONS[type]?.(version, { ...at(0), ...compare }, items) ?? [];
  return JSON.parse(JSON.stringify(ports.map((list) => list.map(writeItem)))) as CaseItem[][];
}

/** The function of a node that has several. */
function functionName({ type, parameters = {} }: NodeCase): string {
  // A node of the service converts its text first.
  if (type === 'markdown') return '';
  if (type !== 'html') return type;
  const { operation } = parameters;
  return operation === 'convertToHtmlTable' ? 'htmlTable' : operation === 'extractHtmlContent' ? '' : 'htmlTemplate';
}

const isKnown = (one: NodeCase) =>
  [ITEM_FUNCTIONS, TEST_FUNCTIONS, LIST_FUNCTIONS, MERGE_FUNCTIONS].some((functions) => functionName(one) in functions);

describe('nodes of n8n give the same items as in n8n', () => {
  test('the cases are there', () => {
    expect(readdirSync(FOLDER)).toEqual(expect.arrayContaining(FILES.map((file) => `${file}.jsonl`)));
  });

  test.each(FILES)('%s', (file) => {
    const faults: unknown[] = [];
    for (const one of readCases(file).filter(isKnown)) {
      // What settings of nodes do is the service's business.
      if (one.settings) continue;
      let given: unknown;
      try {
        given = run(one);
      } catch (error) {
        given = `failed: ${String(error)}`;
      }
      const expected = one.failure === undefined ? one.outputs : 'failed';
      const isFailure = expected === 'failed' && typeof given === 'string';
      if (!isFailure && !isDeepStrictEqual(given, expected))
        faults.push({ shows: `${one.type} ${one.version}: ${one.shows}`, expected: one.failure ?? expected, given });
    }
    expect(faults).toEqual([]);
  });
});
