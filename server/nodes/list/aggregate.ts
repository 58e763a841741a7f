import { z } from 'zod';
import { Measure } from '@/server/lists/aggregate';
import { itemsField, listOutcome, ON_ITEMS } from './lists';
import { nodeKind } from '../node';

export const aggregate = nodeKind({
  type: 'aggregate',
  title: 'Aggregate',
  summary: 'Groups a list, and computes counts, sums and other measures of each group.',
  synonyms: [
    'group',
    'group by',
    'sum',
    'count',
    'average',
    'summarize',
    'reduce',
    'total',
    'statistics',
    'pivot',
    'list',
  ],
  ...ON_ITEMS,
  config: z.strictObject({
    items: itemsField(),
    groupBy: z
      .array(z.string().max(500).min(1))
      .max(20)
      .optional()
      .meta({ title: 'Group by', description: 'Fields. Empty: all items are one group.', examples: [['country']] }),
    measures: z
      .array(Measure)
      .max(50)
      .optional()
      .meta({
        title: 'Measures',
        description: 'Fields of each result. Missing values do not count.',
        examples: [[{ name: 'total', operation: 'sum', field: 'price' }]],
      }),
  }),
  required: ['measures'],
  run: (context) => {
    const { items, groupBy = [], measures = [] } = context.config;
    return listOutcome({ kind: 'aggregate', groupBy, measures }, [items], context);
  },
});
