import { z } from 'zod';
import { isJsonataTrue } from '@/server/evaluation/expressions/truth';
import { completeNode, defineNodeType } from '../node-type';
import { expressionField, largeValueField } from '../field-traits';

export const conditionNodeType = defineNodeType({
  type: 'condition',
  title: 'Condition',
  summary: 'Continues on one of two ports, depending on rules or an expression.',
  synonyms: ['if', 'else', 'if else', 'branch', 'decision', 'when', 'compare', 'rule', 'check', 'true or false'],
  category: 'logic',
  config: z.strictObject({
    expression: z
      .unknown()
      .optional()
      .apply(expressionField)
      .apply(largeValueField)
      .meta({
        title: 'Condition',
        description: 'JSONata. Empty values, zero, null and undefined are false.',
        examples: ['input.total > 100'],
        'x-editor': 'condition',
      }),
  }),
  gaps: ({ expression }) => (expression ? [] : [{ field: 'expression', message: 'is required' }]),
  hasInput: true,
  outputs: ['true', 'false'],
  credentialTypes: [],
  isOutside: false,
  run: ({ config, input }) => completeNode(input, isJsonataTrue(config.expression) ? 'true' : 'false'),
});
