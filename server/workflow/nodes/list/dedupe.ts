import { z } from 'zod';
import { listItemsField, runListOperation, LIST_NODE_TRAITS } from './list-node';
import { defineNodeType } from '../node-type';

export const dedupeNodeType = defineNodeType({
  type: 'dedupe',
  title: 'Remove duplicates',
  summary: 'Keeps the first of equal items.',
  synonyms: ['dedupe', 'unique', 'distinct', 'duplicates', 'deduplicate', 'list'],
  ...LIST_NODE_TRAITS,
  config: z.strictObject({
    items: listItemsField(),
    by: z
      .union([z.string().max(500).min(1), z.array(z.string().max(500).min(1)).max(20)])
      .optional()
      .meta({
        title: 'Compare by',
        description: 'A field, or a list of fields, such as customer.id. Empty: whole items are compared.',
        examples: ['email'],
        'x-editor': 'item-fields',
        'x-list': 'items',
      }),
  }),
  run: (context) => {
    const { items, by = [] } = context.config;
    return runListOperation({ kind: 'dedupe', by: [by].flat() }, [items], context);
  },
});
