import { createContext, use, type ComponentType } from 'react';
import type { FieldControlProps } from './field-props';

const NestedFieldContext = createContext<ComponentType<FieldControlProps> | undefined>(undefined);

/** Passes the Field component to controls that contain fields; a direct import would be a cycle. */
export const NestedFieldProvider = NestedFieldContext.Provider;

export function useNestedField(): ComponentType<FieldControlProps> {
  const Field = use(NestedFieldContext);
  if (!Field) throw new Error('Fields must be inside a SchemaForm');
  return Field;
}
