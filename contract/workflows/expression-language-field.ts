import { z } from 'zod';
import { EXPRESSION_LANGUAGES } from './expression-language';

export const ExpressionLanguageField = z.enum(EXPRESSION_LANGUAGES).meta({
  id: 'ExpressionLanguage',
  description: 'Whether `input.a`, `{{ … }}` and the like are read as JSONata or as JavaScript',
  example: 'javascript',
});
