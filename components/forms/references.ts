import { createContext } from 'react';

export interface Reference {
  value: string;
  label: string;
}

/** What fields may refer to, by their `x-editor`: workflows, connectors, a connector's operations. */
export const ReferencesContext = createContext<Readonly<Record<string, Reference[]>>>({});
