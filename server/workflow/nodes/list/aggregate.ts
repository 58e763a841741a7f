import { z } from 'zod';
import { ListMeasure } from '@/server/evaluation/lists/aggregate';
import { listItemsField, runListOperation, LIST_NODE_TRAITS } from './list-node';
import { defineNodeType } from '../node-type';
import { requiredField } from '../field-traits';

export const aggregateNodeType = defineNodeType({
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
  ...LIST_NODE_TRAITS,
  config: z.strictObject({
    items: listItemsField(),
    groupBy: z
      .array(z.string().max(500).min(1))
      .max(20)
      .optional()
      .meta({
        title: 'Group by',
        description: 'Fields. Empty: all items are one group.',
        examples: [['country']],
        'x-editor': 'item-fields',
        'x-list': 'items',
      }),
    measures: z
      .array(ListMeasure)
      .max(50)
      .optional()
      .apply(requiredField)
      .meta({
        title: 'Measures',
        description: 'Fields of each result. Missing values do not count.',
        examples: [[{ name: 'total', operation: 'sum', field: 'price' }]],
        'x-editor': 'measures',
        'x-list': 'items',
      }),
  }),
  run: (context) => {
    const { items, groupBy = [], measures = [] } = context.config;
    return runListOperation({ kind: 'aggregate', groupBy, measures }, [items], context);
  },
});
