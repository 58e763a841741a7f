import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CLASSIFIER_CONVERTERS } from './items/classifiers';
import { ITEM_CONVERTERS } from './items/converters';
import { CALL_CONVERTERS, PACKAGE_CONVERTERS } from './nodes';
import { AI_NODE_CONVERTERS } from './nodes/ai';
import { shortNodeType } from './starts/convert-trigger';

const TEXT = readFileSync('docs/build/import-n8n.md', 'utf8');

/** The types of n8n in the first column of a table under a heading. */
function typesUnder(heading: string): string[] {
  const [, section = ''] = TEXT.split(`## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const rows = own.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Za-z0-9]+)`/g)].map(([, type = '']) => type),
  );
}

it('the table of nodes has every type that is converted, and no other', () => {
  const known = new Set([
    ...Object.keys(CALL_CONVERTERS),
    ...Object.keys(CLASSIFIER_CONVERTERS),
    ...Object.keys(ITEM_CONVERTERS),
    ...Object.keys(AI_NODE_CONVERTERS),
    ...[...PACKAGE_CONVERTERS.keys()].map(shortNodeType),
    'splitInBatches',
    'stickyNote',
  ]);
  expect(typesUnder('Nodes').toSorted()).toEqual([...known].toSorted());
});
