import { Field } from './Field';
import { Fields, type FieldsProps } from './Fields';
import { Nested } from './model/nested';

/** A form for an object, made from its JSON Schema. */
export function SchemaForm(props: FieldsProps) {
  return (
    <Nested value={Field}>
      <Fields {...props} />
    </Nested>
  );
}
