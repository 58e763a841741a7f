import { z } from 'zod';
import { text } from '@/contract/text';
import { Definition } from '@/contract/workflow';
import { definitionIssues } from '../engine/definition';

/** In bytes: a definition of 1 MiB, and what comes with it. */
export const MAX_BODY = 2 * 1024 * 1024;

/** Checked against the node types first, so that all that is wrong with it is told at once, with its own paths. */
export const CheckedDefinition = z.preprocess((value, context) => {
  if (value === undefined) return value;
  for (const { field, message } of definitionIssues(value))
    context.addIssue({ code: 'custom', path: [field], message, input: value });
  return value;
}, Definition);

export const VersionMessage = text(0, 500).meta({ description: 'What this version is about' });

export const ExpectedVersion = z
  .number()
  .int()
  .min(1)
  .max(2_147_483_647)
  .meta({ description: 'The version that this changes' });
