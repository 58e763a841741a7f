import { createContext } from 'react';

export interface Reference {
  value: string;
  label: string;
}

/** Options of reference fields by `x-editor`: connectors, operations, and members by their email. Workflows and tables are read from the server. */
export const ReferencesContext = createContext<Readonly<Record<string, Reference[]>>>({});
