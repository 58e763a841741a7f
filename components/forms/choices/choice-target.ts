import { createContext } from 'react';

/** What is asked for the choices of a form. */
export interface ChoiceTarget {
  nodeType: string;
  /** The connector whose parameters the form has: its sources are asked in place of those of the node type. */
  connectorId?: string | undefined;
  credentialId?: string | undefined;
  /** What picked values were called, by the paths of their fields. */
  labels?: Readonly<Record<string, string>> | undefined;
  /** Keeps what a picked value is called; undefined: the value was not picked. Absent: nothing is kept. */
  onLabel?(path: string, label: string | undefined): void;
  /**
   * The path of the field that comes next: its list opens by itself once it is loaded, and the only or usual choice is picked.
   */
  openPath?: string | undefined;
}

/** The labels after a value was picked, or no longer is. Undefined: there are none. */
export function replaceLabel(
  labels: Readonly<Record<string, string>> | undefined,
  path: string,
  label: string | undefined,
): Record<string, string> | undefined {
  const others = Object.entries(labels ?? {}).filter(([other]) => other !== path);
  const next = label === undefined ? others : [...others, [path, label] as const];
  return next.length > 0 ? Object.fromEntries(next) : undefined;
}

/** What is asked for the choices of a node, or of something like a node. */
export const readChoiceTarget = ({
  type,
  config: { connectorId },
  credentialId,
}: {
  type: string;
  config: Readonly<Record<string, unknown>>;
  credentialId?: string | undefined;
}): ChoiceTarget => ({
  nodeType: type,
  connectorId: type === 'connector' && typeof connectorId === 'string' ? connectorId : undefined,
  credentialId,
});

/** Undefined: the form is not that of a node, so nothing can be listed. */
export const ChoiceTargetContext = createContext<ChoiceTarget | undefined>(undefined);
