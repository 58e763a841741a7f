import { createContext, use, type ComponentType } from 'react';
import type { FieldProps } from './field';

const NestedContext = createContext<ComponentType<FieldProps> | undefined>(undefined);

/** Hands the control for any field down to the controls that hold fields themselves, which can't import it. */
export const Nested = NestedContext.Provider;

export function useNestedField(): ComponentType<FieldProps> {
  const Field = use(NestedContext);
  if (!Field) throw new Error('Fields stand inside a SchemaForm');
  return Field;
}
