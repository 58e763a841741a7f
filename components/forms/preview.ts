import { createContext } from 'react';
import type { Scope } from './resolve';

/** The data that fields show the value of their expressions with. None: they don't. */
export const PreviewContext = createContext<Scope | undefined>(undefined);
