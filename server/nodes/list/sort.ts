import { z } from 'zod';
import { itemsField, listOutcome, ON_ITEMS } from './lists';
import { nodeKind } from '../node';

export const sort = nodeKind({
  type: 'sort',
  title: 'Sort',
  summary: 'Sorts a list by one or more fields.',
  synonyms: ['order', 'order by', 'arrange', 'rank', 'list'],
  ...ON_ITEMS,
  config: z.strictObject({
    items: itemsField(),
    by: z
      .array(
        z.strictObject({
          field: z
            .string()
            .max(500)
            .meta({ title: 'Field', description: 'A path such as customer.name. Empty: the item itself.' }),
          direction: z
            .enum(['asc', 'desc'])
            .optional()
            .meta({ apiDescription: 'Ascending or descending', title: 'Direction', default: 'asc' }),
        }),
      )
      .min(1)
      .max(20)
      .optional()
      .meta({
        title: 'Sort by',
        description: 'Numbers come before texts, missing values last. Texts are in alphabetical order.',
        examples: [[{ field: 'date', direction: 'desc' }]],
      }),
  }),
  required: ['by'],
  run: (context) => {
    const by = (context.config.by ?? []).map(({ field, direction = 'asc' as const }) => ({ field, direction }));
    return listOutcome({ kind: 'sort', by }, [context.config.items], context);
  },
});
