import { z } from 'zod';
import { ListRules } from '@/server/evaluation/lists/rules';
import { computeInEvaluator, itemExpression, listItemsField, toItemList, runListOperation } from './list-node';
import { defineNodeType } from '../node-type';
import { scopedExpressionField } from '../field-traits';

export const filterNodeType = defineNodeType({
  type: 'filter',
  title: 'Filter',
  summary: 'Keeps the items of a list that match rules or an expression.',
  synonyms: ['where', 'rules', 'select', 'remove items', 'keep', 'if', 'list'],
  category: 'data',
  config: z
    .strictObject({
      items: listItemsField(),
      rules: ListRules.optional().meta({
        title: 'Rules',
        description: 'All must match, unless they are in a group {"or": […]}.',
        examples: [[{ field: 'price', operator: 'gt', value: 10 }]],
        'x-editor': 'filter-rules',
        'x-alternative': 'where',
      }),
      where: z
        .string()
        .max(10_000)
        .optional()
        .apply(scopedExpressionField, ['item', 'index'])
        .meta({
          title: 'Where',
          description: 'An expression on item and index, instead of rules.',
          examples: ['item.price > 10 and $contains(item.name, "x")'],
        }),
    })
    .refine(({ rules, where }) => rules === undefined || !where, {
      error: 'takes either rules or where, not both',
      path: ['where'],
    }),
  gaps: ({ items, rules, where }) => [
    ...(items ? [] : [{ field: 'items', message: 'is required' }]),
    ...(rules || where ? [] : [{ field: 'rules', message: 'are required, unless there is an expression in where' }]),
  ],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  run: (context) => {
    const { items, rules = [], where } = context.config;
    return where
      ? computeInEvaluator({ kind: 'where', ...itemExpression(where, context) }, [toItemList(items)], context)
      : runListOperation({ kind: 'filter', rules }, [items], context);
  },
});
