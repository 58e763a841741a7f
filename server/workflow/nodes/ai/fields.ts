import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { JsonObject } from '@/contract/text';
import { suggestedModelIds } from '@/server/network/models/catalogue';
import { choicesFrom, jsonSchemaField, requiredField } from '../field-traits';

/** Milliseconds of one call of a model: some think for minutes. */
export const MODEL_TIMEOUT_MS = 300_000;

/** The largest prompt, in characters. */
export const MAX_MODEL_PROMPT = 2_000_000;

/** Fields that the nodes of language models share. */
export const modelNameField = z
  .string()
  .max(200)
  .optional()
  .apply(requiredField)
  .apply(choicesFrom, 'models', { search: true, needsCredential: true })
  .meta({
    title: 'Model',
    description: 'The id of a model of the provider of the credential.',
    examples: [suggestedModelIds['anthropic']?.[0]],
    'x-editor': 'model',
    'x-models': suggestedModelIds,
  });

export const outputSchemaField = JsonObject.optional().apply(jsonSchemaField).meta({
  title: 'Output schema',
  description:
    'JSON Schema of an object. The answer is then an object in `object`; otherwise it is text in `text`. An answer that does not match is returned to the model once.',
  'x-editor': 'json-schema',
});

/** Providers take objects only. */
export const findOutputSchemaIssues = (schema: unknown): FieldIssue[] =>
  typeof schema !== 'object' || schema === null || ('type' in schema && schema.type === 'object')
    ? []
    : [{ field: 'outputSchema', message: 'must describe an object: its type must be "object"' }];
