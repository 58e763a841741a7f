import { createContext } from 'react';

/** What is asked for the choices of a form. */
export interface ChoiceTarget {
  nodeType: string;
  credentialId?: string | undefined;
  /** What picked values were called, by the paths of their fields. */
  labels?: Readonly<Record<string, string>> | undefined;
  /** Keeps what a picked value is called; undefined: the value was not picked. Absent: nothing is kept. */
  onLabel?(path: string, label: string | undefined): void;
}

/** Undefined: the form is not that of a node, so nothing can be listed. */
export const ChoiceTargetContext = createContext<ChoiceTarget | undefined>(undefined);
