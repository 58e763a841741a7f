import { createContext, use, type ComponentType } from 'react';
import type { FieldProps } from './field';

const NestedContext = createContext<ComponentType<FieldProps> | undefined>(undefined);

/** Passes the Field component to controls that contain fields; a direct import would be a cycle. */
export const Nested = NestedContext.Provider;

export function useNestedField(): ComponentType<FieldProps> {
  const Field = use(NestedContext);
  if (!Field) throw new Error('Fields must be inside a SchemaForm');
  return Field;
}
