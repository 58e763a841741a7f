import { createContext } from 'react';

export interface Reference {
  value: string;
  label: string;
}

/** Options of reference fields by `x-editor`: connectors and operations. Workflows are searched on the server. */
export const ReferencesContext = createContext<Readonly<Record<string, Reference[]>>>({});
