import { EXPRESSION_DIALECTS, type ExpressionDialect } from '@/contract/workflows/expression-language';
import { BoundedCache } from '@/server/platform/cache/cache';
import { parseFieldText, type ParsedFieldText, type TextSyntax } from './template';

/** Longer texts are parsed in evaluator processes only. */
const MAX_LOCALLY_PARSED_TEXT = 512;
const MAX_CACHED_TEXTS = 2000;

type TextCache = BoundedCache<string, ParsedFieldText>;
const createTextCaches = (): Record<TextSyntax, TextCache> => ({
  template: new BoundedCache(MAX_CACHED_TEXTS),
  bare: new BoundedCache(MAX_CACHED_TEXTS),
});
const parsedTextCaches = Object.fromEntries(
  EXPRESSION_DIALECTS.map((language) => [language, createTextCaches()]),
) as Record<ExpressionDialect, Record<TextSyntax, TextCache>>;

/** A parsed text; undefined: it is too long to be parsed in the main thread. */
export const readCachedText = (
  text: string,
  kind: TextSyntax,
  language: ExpressionDialect,
): ParsedFieldText | undefined =>
  text.length > MAX_LOCALLY_PARSED_TEXT
    ? undefined
    : parsedTextCaches[language][kind].get(text, () => parseFieldText(text, kind, language));
