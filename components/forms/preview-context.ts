import { createContext } from 'react';
import type { ExpressionEvaluator } from '@/components/client/queries/useExpressionEvaluator';
import type { PreviewScope } from './model/preview-expression';

/** Data for the previews of expressions. */
export interface PreviewData {
  scope: PreviewScope;
  /** What the canvas calls the nodes of the scope, by id. */
  names?: Readonly<Record<string, string>>;
  /** What the canvas calls the nodes that the input comes from. */
  inputFrom?: readonly string[];
  /**
   * What is to be known about data before it is used, by `input` or `nodes.<id>`: that it leaves out a node, or is an
   * example.
   */
  notes?: Readonly<Record<string, string>>;
  /** Data of nodes that have not run, by `input` or `nodes.<id>`: its fields are right, its values are examples. */
  expected?: ReadonlySet<string>;
  /** Why `paired.<id>` has no value for the nodes that `paired` of the scope lacks. */
  pairedEnd?: string;
  /** False: names are known, but no run has provided values yet. */
  hasData: boolean;
  /** Some values are too large and were not loaded. */
  isPartial: boolean;
  /** Lets the service evaluate expressions that a page can’t; absent: they have no preview. */
  evaluate?: ExpressionEvaluator;
}

/** Undefined: the form does not support expressions. */
export const PreviewDataContext = createContext<PreviewData | undefined>(undefined);
