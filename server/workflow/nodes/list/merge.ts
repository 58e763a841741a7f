import { z } from 'zod';
import type { ListOperation } from '@/server/evaluation/lists/operations';
import { listItemsField, runListOperation } from './list-node';
import { defineNodeType } from '../node-type';

const keyPathField = (title: string, list: string) =>
  z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({
      title,
      description: 'A field, such as customer.id.',
      examples: ['id'],
      'x-editor': 'item-field',
      'x-list': list,
    });

const mergeConfig = z.strictObject({
  left: listItemsField('Left items').meta({ 'x-list-position': 0 }),
  right: listItemsField('Right items').meta({ 'x-list-position': 1 }),
  mode: z
    .enum(['by_key', 'by_position', 'append'])
    .optional()
    .meta({
      title: 'Mode',
      default: 'by_key',
      apiDescription:
        'by_key: items with an equal field. by_position: first with first. append: one list after the other.',
      'x-labels': {
        by_key: 'Items with an equal field',
        by_position: 'First with first, second with second',
        append: 'One list after the other',
      },
    }),
  leftKey: keyPathField('Key of the left items', 'left'),
  rightKey: keyPathField('Key of the right items', 'right'),
  join: z
    .enum(['inner', 'left', 'outer'])
    .optional()
    .meta({
      title: 'Keep',
      default: 'inner',
      apiDescription: 'inner: only items with a counterpart. left: all left items. outer: all items.',
      'x-labels': { inner: 'Only items with a counterpart', left: 'All left items', outer: 'All items' },
    }),
});

function toMergeOperation(config: z.output<typeof mergeConfig>): ListOperation {
  const { mode = 'by_key', join = 'inner', leftKey = '', rightKey = '' } = config;
  if (mode === 'append') return { kind: 'merge', mode };
  return mode === 'by_position' ? { kind: 'merge', mode, join } : { kind: 'merge', mode, leftKey, rightKey, join };
}

export const mergeNodeType = defineNodeType({
  type: 'merge',
  title: 'Merge',
  summary: 'Joins two lists: by a common field, by position, or one after the other.',
  synonyms: ['join', 'combine', 'append', 'union', 'concat', 'lookup', 'vlookup', 'list'],
  category: 'data',
  config: mergeConfig,
  gaps: ({ left, right, mode, leftKey, rightKey }) => [
    ...Object.entries({ left, right }).flatMap(([field, value]) => (value ? [] : [{ field, message: 'is required' }])),
    ...Object.entries({ leftKey, rightKey }).flatMap(([field, value]) =>
      value || (mode ?? 'by_key') !== 'by_key' ? [] : [{ field, message: 'is required to merge by key' }],
    ),
  ],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  run: (context) => {
    const { left, right } = context.config;
    return runListOperation(toMergeOperation(context.config), [left, right], context);
  },
});
