import { z } from 'zod';
import { boundedText } from './text';

/** Labels of a workflow or of a run, in the order of the request. */
export const TagNames = z
  .array(boundedText(1, 50).refine((tag) => tag.trim() === tag, { error: 'must not begin or end with a space' }))
  .max(20)
  .refine((tags) => new Set(tags).size === tags.length, { error: 'must not contain a tag twice' });
