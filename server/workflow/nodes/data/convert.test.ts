import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CONVERSION_FORMATS, conversionOptions, CONVERSION_TARGETS } from '@/contract/workflows/conversions';
import { configIssues } from '@/server/workflow/definition/config';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { convertNodeType } from './convert';
import type { NodeRunContext } from '../node-type';

useEvaluation();

const issuesOf = (config: Record<string, unknown>) =>
  configIssues(convertNodeType, config, 'config', { checkText: () => null, checkSchema: () => null });

it('refuses pairs that are not possible, and options that a pair does not take', () => {
  expect(issuesOf({ value: 'x', from: 'pdf', to: 'csv' })).toEqual([
    { field: 'config.to', message: 'pdf cannot become csv. It can become text, json, zip, gzip, base64, file' },
  ]);
  expect(issuesOf({ value: 'x', from: 'csv', to: 'json', options: { root: 'a' } })).toEqual([
    {
      field: 'config.options.root',
      message:
        'is no option of csv to json. Its options: delimiter, quote, header, headerRow, types, encoding, asFile, name',
    },
  ]);
  expect(issuesOf({ from: 'csv', to: 'json', options: { encoding: 'utf-99' } })[0]?.field).toBe(
    'config.options.encoding',
  );
  expect(issuesOf({ from: '{{ input.from }}', to: 'json' })[0]?.field).toBe('config.from');
  expect(
    issuesOf({ from: 'csv', to: 'json', options: { header: '{{ input.header }}', delimiter: '{{ input.d }}' } }),
  ).toEqual([]);
  expect(convertNodeType.gaps?.({ from: 'html', to: 'json' }, false)).toEqual([
    { field: 'options.select', message: 'is required: it names the fields of the result' },
  ]);
});

/** Runs the node. A large output is parsed. */
async function run(config: Record<string, unknown>): Promise<unknown> {
  const context = {
    config: convertNodeType.config.parse(config),
    signal: new AbortController().signal,
    waitForSlot: async () => undefined,
    reserve: async () => undefined,
    ...PURPOSE,
  };
  const outcome = await convertNodeType.run(context as unknown as NodeRunContext<typeof context.config>);
  if (outcome.kind !== 'done') throw new Error('The node is not done');
  return isLargeJson(outcome.output) ? (JSON.parse(outcome.output.text) as unknown) : outcome.output;
}

const DOCS = readFileSync('docs/build/convert.md', 'utf8');

it('does what the examples of the documentation say', async () => {
  const examples = [...DOCS.matchAll(/```json\n([^]*?)```\s+Result:\s+```json\n([^]*?)```/g)];
  expect(examples.length).toBeGreaterThanOrEqual(8);
  for (const [, config = '', result = ''] of examples) {
    expect(await run(JSON.parse(config) as Record<string, unknown>)).toEqual(JSON.parse(result));
  }
});

it('is documented: each pair, each option', () => {
  for (const from of CONVERSION_FORMATS) {
    const row = DOCS.split('\n').find((line) => line.startsWith(`| \`${from}\` |`));
    const [, , targets = ''] = row?.split('|') ?? [];
    expect([from, [...targets.matchAll(/`(\w+)`/g)].map(([, to]) => to)]).toEqual([
      from,
      [...CONVERSION_TARGETS[from]],
    ]);
    for (const to of CONVERSION_TARGETS[from])
      for (const option of conversionOptions(from, to)) expect(DOCS).toContain(`| \`${option}\``);
  }
});
