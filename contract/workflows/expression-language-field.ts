import { z } from 'zod';
import { EXPRESSION_LANGUAGES, EXPRESSION_PRELUDES } from './expression-language';

export const ExpressionLanguageField = z.enum(EXPRESSION_LANGUAGES).meta({
  id: 'ExpressionLanguage',
  description: 'Whether `input.a`, `{{ … }}` and the like are read as JSONata or as JavaScript',
  example: 'javascript',
});

export const ExpressionPreludeField = z.enum(EXPRESSION_PRELUDES).meta({
  id: 'ExpressionPrelude',
  description:
    'Names of another tool that expressions in JavaScript may use: `n8n` adds `$json`, `$input`, `$("Node")` and others',
  example: 'n8n',
});
