import { createContext, use } from 'react';
import { DEFAULT_EXPRESSION_LANGUAGE, type ExpressionLanguage } from '@/contract/workflows/expression-language';

/** The language of the expressions around a component: that of the open definition, or of a poll. */
export const ExpressionLanguageContext = createContext<ExpressionLanguage>(DEFAULT_EXPRESSION_LANGUAGE);

export const useExpressionLanguage = (): ExpressionLanguage => use(ExpressionLanguageContext);

export const EXPRESSION_LANGUAGE_LABELS: Record<ExpressionLanguage, string> = {
  jsonata: 'JSONata',
  javascript: 'JavaScript',
};
