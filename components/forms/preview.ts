import { createContext } from 'react';
import type { Scope } from './resolve';

/** What fields show the value of their expressions with. */
export interface Preview {
  scope: Scope;
  /** False: the names are known, but there was no run yet, and so there are no values to show. */
  hasData: boolean;
  /** Some of the values are too large to be here unless somebody loads them. */
  isPartial: boolean;
}

/** None: there is nothing that expressions could speak of. */
export const PreviewContext = createContext<Preview | undefined>(undefined);
