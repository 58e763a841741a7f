import { z } from 'zod';
import { boundedText } from '../text';
import { ExpressionLanguageField } from './expression-language-field';

/** Maximum number of marks of one node. */
const MAX_CONVERTED_FIELDS = 200;

/** A field whose expressions were converted to another language, and which nobody has looked at. */
export const ConvertedField = z
  .strictObject({
    field: boundedText(1, 500).describe('The path of the field in the node, such as `config.url`'),
    language: ExpressionLanguageField.describe('The language that it was converted from'),
    source: boundedText(0, 70_000).describe('What it was before'),
    reason: boundedText(0, 500).describe('Why its results may differ'),
  })
  .meta({
    id: 'ConvertedField',
    description:
      'A converted field that nobody has looked at: a definition with one can be saved and run, not published',
  });
export type ConvertedField = z.infer<typeof ConvertedField>;

export const UnreviewedFields = z
  .array(ConvertedField)
  .max(MAX_CONVERTED_FIELDS)
  .describe('Fields that were converted to another language, and that nobody has looked at. They block publishing');
