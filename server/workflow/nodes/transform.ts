import { z } from 'zod';
import { JsonObject } from '@/contract/text';
import { completeNode, defineNodeType } from './node-type';
import { completePreludeValue } from './prelude-items';
import { expressionField, largeValueField } from './field-traits';

export const transformNodeType = defineNodeType({
  type: 'transform',
  title: 'Transform',
  summary: 'Builds an object field by field, or transforms data with one expression.',
  synonyms: [
    'set',
    'edit fields',
    'set field',
    'set variable',
    'assign',
    'map',
    'rename',
    'rename keys',
    'fields',
    'variables',
    'json',
    'jsonata',
    'expression',
    'date & time',
    'format date',
    'time zone',
    'string',
    'text',
    'math',
    'calculate',
    'number',
    'template',
    'hash',
    'crypto',
    'uuid',
  ],
  category: 'data',
  config: z
    .strictObject({
      expression: z
        .unknown()
        .optional()
        .apply(expressionField)
        .apply(largeValueField)
        .meta({
          title: 'Expression',
          description: 'An expression. Its value is the output.',
          examples: ['input.items[price > 10]'],
        }),
      fields: JsonObject.optional().apply(largeValueField).meta({
        title: 'Fields',
        description: 'The output, field by field; values may hold {{ }}.',
        'x-editor': 'assignments',
        'x-alternative': 'expression',
      }),
    })
    .refine(({ expression, fields }) => expression === undefined || fields === undefined, {
      error: 'takes either expression or fields, not both',
      path: ['fields'],
    }),
  gaps: ({ expression, fields }) =>
    expression || fields ? [] : [{ field: 'expression', message: 'is required, unless there are fields' }],
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  run({ config, language }) {
    const value = config.fields ?? config.expression ?? null;
    return language === 'n8n' ? completePreludeValue(value) : completeNode(value);
  },
});
