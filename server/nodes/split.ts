import { z } from 'zod';
import { itemsField, listOutcome } from './lists';
import { nodeKind } from './node';

export const split = nodeKind({
  type: 'split',
  title: 'Split',
  summary: 'Splits a list into lists of a given size.',
  category: 'data',
  config: z.strictObject({
    items: itemsField(),
    size: z.number().int().min(1).max(100_000).optional().meta({ title: 'Size', description: 'Items in each list.' }),
  }),
  required: ['size'],
  gaps: ({ items }) => (items ? [] : [{ field: 'items', message: 'is required' }]),
  expressions: ['items'],
  paths: ['items'],
  largeFields: ['items'],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  run: (context) => {
    const { items, size = 1 } = context.config;
    return listOutcome({ kind: 'split', size }, [items], context);
  },
});
