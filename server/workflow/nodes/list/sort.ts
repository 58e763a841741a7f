import { z } from 'zod';
import { listItemsField, runListOperation, LIST_NODE_TRAITS } from './list-node';
import { defineNodeType } from '../node-type';
import { requiredField } from '../field-traits';

export const sortNodeType = defineNodeType({
  type: 'sort',
  title: 'Sort',
  summary: 'Sorts a list by one or more fields.',
  synonyms: ['order', 'order by', 'arrange', 'rank', 'list'],
  ...LIST_NODE_TRAITS,
  config: z.strictObject({
    items: listItemsField(),
    by: z
      .array(
        z.strictObject({
          field: z.string().max(500).meta({
            title: 'Field',
            description: 'A path such as customer.name. Empty: the item itself.',
            'x-editor': 'item-field',
            'x-list': 'items',
          }),
          direction: z
            .enum(['asc', 'desc'])
            .optional()
            .meta({
              apiDescription: 'Ascending or descending',
              title: 'Direction',
              default: 'asc',
              'x-labels': { asc: 'Ascending', desc: 'Descending' },
            }),
        }),
      )
      .min(1)
      .max(20)
      .optional()
      .apply(requiredField)
      .meta({
        title: 'Sort by',
        description: 'Numbers come before texts, missing values last. Texts are in alphabetical order.',
        examples: [[{ field: 'date', direction: 'desc' }]],
        'x-editor': 'rows',
      }),
  }),
  run: (context) => {
    const by = (context.config.by ?? []).map(({ field, direction = 'asc' as const }) => ({ field, direction }));
    return runListOperation({ kind: 'sort', by }, [context.config.items], context);
  },
});
