import { createContext } from 'react';

/** Whether the fields around a component only show their values. */
export const ReadOnlyContext = createContext(false);
