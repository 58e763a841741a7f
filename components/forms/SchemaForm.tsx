import { SchemaField } from './SchemaField';
import { SchemaFields, type SchemaFieldsProps } from './SchemaFields';
import { NestedFieldProvider } from './model/nested-field';

/** A form for an object, made from its JSON Schema. */
export function SchemaForm(props: SchemaFieldsProps) {
  return (
    <NestedFieldProvider value={SchemaField}>
      <SchemaFields {...props} />
    </NestedFieldProvider>
  );
}
