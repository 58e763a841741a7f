import { z } from 'zod';
import { itemsField, listOutcome, ON_ITEMS } from './lists';
import { nodeKind } from '../node';

export const dedupe = nodeKind({
  type: 'dedupe',
  title: 'Remove duplicates',
  summary: 'Keeps the first of equal items.',
  synonyms: ['dedupe', 'unique', 'distinct', 'duplicates', 'deduplicate', 'list'],
  ...ON_ITEMS,
  config: z.strictObject({
    items: itemsField(),
    by: z
      .union([z.string().max(500).min(1), z.array(z.string().max(500).min(1)).max(20)])
      .optional()
      .meta({
        title: 'Compare by',
        description: 'A field, or a list of fields, such as customer.id. Empty: whole items are compared.',
        examples: ['email'],
      }),
  }),
  required: [],
  run: (context) => {
    const { items, by = [] } = context.config;
    return listOutcome({ kind: 'dedupe', by: [by].flat() }, [items], context);
  },
});
