import { z } from 'zod';
import { itemsField, listOutcome, ON_ITEMS } from './lists';
import { nodeKind } from '../node';

export const split = nodeKind({
  type: 'split',
  title: 'Split',
  summary: 'Splits a list into lists of a given size.',
  synonyms: ['chunk', 'batch', 'split in batches', 'partition', 'list'],
  ...ON_ITEMS,
  config: z.strictObject({
    items: itemsField(),
    size: z.number().int().min(1).max(100_000).optional().meta({ title: 'Size', description: 'Items in each list.' }),
  }),
  required: ['size'],
  run: (context) => {
    const { items, size = 1 } = context.config;
    return listOutcome({ kind: 'split', size }, [items], context);
  },
});
