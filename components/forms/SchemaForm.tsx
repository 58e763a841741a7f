import { SchemaField } from './SchemaField';
import { SchemaFields, type SchemaFieldsProps } from './SchemaFields';
import { FormValuesContext } from './model/form-values';
import { NestedFieldProvider } from './model/nested-field';

/** A form for an object, made from its JSON Schema. */
export function SchemaForm(props: SchemaFieldsProps) {
  return (
    <FormValuesContext value={props.value}>
      <NestedFieldProvider value={SchemaField}>
        <SchemaFields {...props} />
      </NestedFieldProvider>
    </FormValuesContext>
  );
}
