import { z } from 'zod';
import { isTrueValue } from '@/server/evaluation/expressions/truth';
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
        description:
          'An expression. In JSONata, empty values, zero, null and undefined are false; in JavaScript, empty lists and objects are true.',
        examples: ['input.total > 100'],
        'x-editor': 'condition',
      }),
  }),
  gaps: ({ expression }) => (expression ? [] : [{ field: 'expression', message: 'is required' }]),
  hasInput: true,
  outputs: ['true', 'false'],
  credentialTypes: [],
  isOutside: false,
  run: ({ config, input, language }) =>
    completeNode(input, isTrueValue(config.expression, language) ? 'true' : 'false'),
});
