import { z } from 'zod';
import { listItemsField, runListOperation, LIST_NODE_TRAITS } from './list-node';
import { defineNodeType } from '../node-type';
import { requiredField } from '../field-traits';

export const splitNodeType = defineNodeType({
  type: 'split',
  title: 'Split',
  summary: 'Splits a list into lists of a given size.',
  synonyms: ['chunk', 'batch', 'split in batches', 'partition', 'list'],
  ...LIST_NODE_TRAITS,
  config: z.strictObject({
    items: listItemsField(),
    size: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .apply(requiredField)
      .meta({ title: 'Size', description: 'Items in each list.' }),
  }),
  run: (context) => {
    const { items, size = 1 } = context.config;
    return runListOperation({ kind: 'split', size }, [items], context);
  },
});
