import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { JsonObject } from '@/contract/text';
import type { Definition } from '@/contract/workflows/workflow';
import { matchSchema, type Purpose } from '@/server/evaluation/evaluation';
import { done, nodeKind } from '../node';

export const start = nodeKind({
  type: 'start',
  title: 'Start',
  summary: 'Where a run begins; passes its input on.',
  synonyms: ['manual trigger', 'run by hand', 'click', 'test', 'begin', 'input', 'trigger', 'entry', 'on demand'],
  category: 'trigger',
  config: z.strictObject({
    inputSchema: JsonObject.optional().meta({
      title: 'Input schema',
      description: 'JSON Schema (draft 7 or 2020-12). A run whose input does not fit is refused.',
      'x-editor': 'json',
    }),
  }),
  required: [],
  expressions: [],
  literals: ['inputSchema'],
  schemas: ['inputSchema'],
  hasInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  run: ({ input }) => done(input),
});

/** The schemas that the input of a run has to fit. */
export const inputSchemas = ({ nodes }: Definition): unknown[] =>
  nodes.flatMap(({ type, disabled, config: { inputSchema } }) =>
    type === start.type && !disabled && inputSchema ? [inputSchema] : [],
  );

/** Why `input` cannot start a run of `definition`; fields begin with `input`. */
export async function inputIssues(definition: Definition, input: unknown, purpose: Purpose): Promise<FieldError[]> {
  const schemas = inputSchemas(definition);
  const issues = await Promise.all(schemas.map((schema) => matchSchema(schema, input, purpose)));
  return issues.flat().map(({ field, message }) => ({ field: `input${field}`, message }));
}
