import { z } from 'zod';
import { text } from '@/contract/text';
import { Definition } from '@/contract/workflows/workflow';
import { definitionIssues } from '@/server/workflow/definition';
import { senderOf } from '@/server/evaluation/sender';

/** In bytes: a definition of 1 MiB, and the rest of the body. */
export const MAX_BODY = 2 * 1024 * 1024;
/** JSON values: 2,000 nodes and 10,000 connections have about 70,000. */
export const MAX_VALUES = 200_000;

/** Validated against the node types first, so that all issues are reported at once, with their own paths. */
export const CheckedDefinition = z.preprocess(async (value, context) => {
  if (value === undefined) return value;
  for (const { field, message } of await definitionIssues(value, { workspaceId: senderOf(value) }))
    context.addIssue({ code: 'custom', path: [field], message, input: value });
  return value;
}, Definition);

export const VersionMessage = text(0, 500).meta({ description: 'Description of this version' });

export const ExpectedVersion = z
  .number()
  .int()
  .min(1)
  .max(2_147_483_647)
  .meta({ description: 'The version that this changes' });
