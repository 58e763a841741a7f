import { z } from 'zod';
import { boundedText, JsonObject } from '../text';
import { ExpressionLanguageField } from './expression-language-field';

/** The zone of dates in an evaluation that belongs to no workflow with a zone of its own. */
export const ExpressionTimeZoneField = boundedText(1, 100).default('UTC').meta({
  description: 'IANA name: the zone of functions for dates that are called without one',
  example: 'Europe/Berlin',
});

/** Maximum number of texts that one call evaluates. */
export const MAX_EVALUATED_TEXTS = 50;
export const MAX_EVALUATION_BODY_BYTES = 4 * 1024 * 1024;

/** Texts with expressions, and the data that they see. */
export const EvaluateExpressionsRequest = z
  .strictObject({
    language: ExpressionLanguageField,
    texts: z
      .array(
        z
          .strictObject({
            value: z.unknown().meta({ description: 'A text, or JSON with texts that may contain `{{ }}`' }),
            isBare: z.boolean().default(false).describe('True: the text as a whole is an expression'),
          })
          .meta({ id: 'EvaluatedText', description: 'A text to evaluate' }),
      )
      .min(1)
      .max(MAX_EVALUATED_TEXTS)
      .describe('What is evaluated, each by itself'),
    scope: JsonObject.describe('The names that the expressions see, with their values: `input`, `nodes`, …'),
    timeZone: ExpressionTimeZoneField,
  })
  .meta({ id: 'EvaluateExpressions', description: 'Expressions to evaluate on data. Nothing is stored.' });
export type EvaluateExpressionsRequest = z.infer<typeof EvaluateExpressionsRequest>;

/** The value of a text, or its error. */
export const EvaluatedExpression = z
  .object({
    value: z.unknown().optional().meta({ description: 'The value; absent if there is an error' }),
    problem: z
      .object({
        message: z.string().describe('What is wrong'),
        source: z.string().nullable().describe('The expression with the error; null: it is not known'),
        position: z.number().int().describe('Where in the expression, in UTF-16 units from its beginning'),
      })
      .nullable()
      .describe('Null: there is none'),
  })
  .meta({ id: 'EvaluatedExpression', description: 'The value of a text with expressions, or its error' });
export type EvaluatedExpression = z.infer<typeof EvaluatedExpression>;

export const EvaluatedExpressions = z
  .object({ results: z.array(EvaluatedExpression).describe('One for each text, in the same order') })
  .meta({ id: 'EvaluatedExpressions', description: 'The values of texts with expressions' });
export type EvaluatedExpressions = z.infer<typeof EvaluatedExpressions>;
