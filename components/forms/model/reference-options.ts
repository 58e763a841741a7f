import { createContext } from 'react';

export interface ReferenceOption {
  value: string;
  label: string;
}

/**
 * Options of reference fields by `x-editor`: connectors, operations, and members by their email. Workflows and tables
 * are read from the server.
 */
export const ReferenceOptionsContext = createContext<Readonly<Record<string, ReferenceOption[]>>>({});
