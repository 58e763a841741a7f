import { createContext } from 'react';

export interface Reference {
  value: string;
  label: string;
}

/** What fields may refer to, by their `x-editor`: connectors, a connector's operations. Workflows are searched for. */
export const ReferencesContext = createContext<Readonly<Record<string, Reference[]>>>({});
