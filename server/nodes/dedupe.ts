import { z } from 'zod';
import { itemsField, listOutcome } from './lists';
import { nodeKind } from './node';

export const dedupe = nodeKind({
  type: 'dedupe',
  title: 'Remove duplicates',
  summary: 'Keeps the first of equal items.',
  category: 'data',
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
    const { items, by = [] } = context.config;
    return listOutcome({ kind: 'dedupe', by: [by].flat() }, [items], context);
  },
});
