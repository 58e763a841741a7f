import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { JsonObject } from '@/contract/text';
import type { Definition } from '@/contract/workflow';
import { checkOf } from './input-schema';
import { done, nodeKind } from './node';

export const start = nodeKind({
  type: 'start',
  title: 'Start',
  summary: 'Where a run begins; passes its input on.',
  category: 'trigger',
  config: z.strictObject({
    inputSchema: JsonObject.superRefine((schema, context) => {
      const check = checkOf(schema);
      if (typeof check === 'string') context.addIssue({ code: 'custom', message: check });
    })
      .optional()
      .meta({
        title: 'Input schema',
        description: 'JSON Schema (draft 7 or 2020-12). A run whose input does not fit is refused.',
        'x-editor': 'json',
      }),
  }),
  required: [],
  expressions: [],
  literals: ['inputSchema'],
  hasInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  run: ({ input }) => done(input),
});

/** What keeps `input` from starting a run of `definition`; fields begin with `input`. */
export function inputIssues({ nodes }: Definition, input: unknown): FieldError[] {
  const schemas = nodes.flatMap(({ type, disabled, config: { inputSchema } }) =>
    type === start.type && !disabled && inputSchema ? [inputSchema as JsonObject] : [],
  );
  return schemas.flatMap((schema) => {
    const check = checkOf(schema);
    const issues = typeof check === 'string' ? [{ field: '', message: check }] : check(input);
    return issues.map(({ field, message }) => ({ field: `input${field}`, message }));
  });
}
