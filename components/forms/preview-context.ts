import { createContext } from 'react';
import type { ExpressionEvaluator } from '@/components/client/queries/useExpressionEvaluator';
import type { PreviewScope } from './model/preview-expression';

/** Data for the previews of expressions. */
export interface PreviewData {
  scope: PreviewScope;
  /** Names that people gave to the nodes of the scope, by id. */
  names?: Readonly<Record<string, string>>;
  /** False: names are known, but no run has provided values yet. */
  hasData: boolean;
  /** Some values are too large and were not loaded. */
  isPartial: boolean;
  /** Lets the service evaluate expressions that a page can’t; absent: they have no preview. */
  evaluate?: ExpressionEvaluator;
}

/** Undefined: the form does not support expressions. */
export const PreviewDataContext = createContext<PreviewData | undefined>(undefined);
