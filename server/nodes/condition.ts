import { z } from 'zod';
import { done, nodeKind } from './node';

/** What JSONata's $boolean says: empty texts, lists and objects, 0, null and nothing are false. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

export const condition = nodeKind({
  type: 'condition',
  title: 'Condition',
  summary: 'Takes one of two ways, depending on an expression.',
  category: 'logic',
  config: z.strictObject({
    expression: z
      .unknown()
      .optional()
      .meta({
        title: 'Expression',
        description: 'JSONata. Empty, zero, null and nothing are false.',
        examples: ['input.total > 100'],
      }),
  }),
  required: [],
  gaps: ({ expression }) => (expression ? [] : [{ field: 'expression', message: 'is required' }]),
  expressions: ['expression'],
  hasInput: true,
  outputs: ['true', 'false'],
  credentialTypes: [],
  isOutside: false,
  run: ({ config, input }) => done(input, isTrue(config.expression) ? 'true' : 'false'),
});
