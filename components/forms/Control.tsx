import { Fieldset, Select, Switch } from '@mantine/core';
import type { ComponentType } from 'react';
import { AddressesField } from './addresses/AddressesField';
import { DurationField } from './DurationField';
import type { FieldProps } from './model/field';
import { Fields } from './Fields';
import { FormFieldsField } from './FormFieldsField';
import { JsonField } from './JsonField';
import { ListField } from './ListField';
import { MapField } from './MapField';
import { OptionalGroup } from './OptionalGroup';
import { ReferenceField } from './ReferenceField';
import { AssignmentsField } from './rules/AssignmentsField';
import { CaseField } from './rules/CaseField';
import { ConditionField } from './rules/ConditionField';
import { FilterField } from './rules/FilterField';
import { TableFilterField } from './rules/TableFilterField';
import { PickedField } from './rules/PickedField';
import { TypedField } from './rules/TypedField';
import { isExpression, kindOf, labelOf, numberOrText, optionLabel, type FieldKind, type Schema } from './model/schema';
import { ObjectSchemaField } from './schema-fields/ObjectSchemaField';
import { SuggestedField } from './SuggestedField';
import { TextField } from './TextField';
import { WrittenField } from './WrittenField';

/** The control of one field. Every field accepts an expression; controls without text turn into a text field for it. */
export function Control(props: FieldProps) {
  const Shown = CONTROLS[controlFor(props.schema, props.value)];
  return <Shown {...props} />;
}

/** Label, description and error of a control. */
const labelsOf = ({ name, schema, isRequired, path, errors }: FieldProps) => ({
  label: labelOf(name, schema),
  description: schema.description,
  error: errors.get(path),
  withAsterisk: isRequired,
});

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The default of a field as a placeholder. */
const fallbackOf = ({ default: value }: Schema): string | undefined =>
  typeof value === 'object' || value === undefined ? undefined : String(value);

/** Properties of a text field. What is typed into the field of a number becomes one, if it is one. */
const textProps = (props: FieldProps) => ({
  ...labelsOf(props),
  value: textOf(props.value),
  placeholder: fallbackOf(props.schema),
  isLiteral: props.schema['x-literal'] === true,
  onChange: (typed: string) =>
    props.onChange(kindOf(props.schema) === 'number' ? numberOrText(typed) : typed || undefined),
});

function ChoiceControl(props: FieldProps) {
  const { schema, value, isRequired, onChange } = props;
  const fallback = fallbackOf(schema);
  return (
    <Select
      {...labelsOf(props)}
      data={(schema.enum ?? []).map((option) => ({ value: String(option), label: optionLabel(option, schema) }))}
      value={textOf(value) || null}
      placeholder={fallback && optionLabel(fallback, schema)}
      clearable={!isRequired}
      onChange={(picked) => onChange(schema.enum?.find((option) => String(option) === picked))}
    />
  );
}

function SwitchControl(props: FieldProps) {
  const { schema, value, onChange } = props;
  const { label, description, error } = labelsOf(props);
  return (
    <Switch
      label={label}
      description={description}
      error={error}
      checked={typeof value === 'boolean' ? value : schema.default === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function DurationControl(props: FieldProps) {
  const { schema, value, onChange } = props;
  return (
    <DurationField
      {...labelsOf(props)}
      value={value}
      fallback={typeof schema.default === 'number' ? schema.default : undefined}
      isLiteral={schema['x-literal'] === true}
      onChange={onChange}
    />
  );
}

function GroupControl(props: FieldProps) {
  const { schema, value, errors, path, onChange } = props;
  return (
    <Fieldset legend={labelsOf(props).label}>
      <Fields schema={schema} value={isRecord(value) ? value : {}} errors={errors} path={path} onChange={onChange} />
    </Fieldset>
  );
}

/** `Preferred` edits a field together with its alternative; a field without one has the control `Otherwise`. */
const withAlternative =
  (
    Preferred: ComponentType<FieldProps & Required<Pick<FieldProps, 'alternative'>>>,
    Otherwise: ComponentType<FieldProps>,
  ) =>
  (props: FieldProps) =>
    props.alternative ? <Preferred {...props} alternative={props.alternative} /> : <Otherwise {...props} />;

const CONTROLS: Record<FieldKind, ComponentType<FieldProps>> = {
  choice: ChoiceControl,
  switch: SwitchControl,
  number: (props) => <TextField {...textProps(props)} inputMode="decimal" />,
  duration: DurationControl,
  line: (props) => <TextField {...textProps(props)} />,
  text: (props) => <TextField {...textProps(props)} isMultiline />,
  reference: ReferenceField,
  condition: ConditionField,
  picked: PickedField,
  'filter-rules': withAlternative(FilterField, JsonField),
  'table-filter': TableFilterField,
  assignments: withAlternative(AssignmentsField, JsonField),
  case: withAlternative(CaseField, TypedField),
  typed: TypedField,
  code: WrittenField,
  expression: WrittenField,
  addresses: AddressesField,
  map: MapField,
  list: ListField,
  group: GroupControl,
  'optional-group': OptionalGroup,
  'form-fields': FormFieldsField,
  suggested: SuggestedField,
  'object-schema': ObjectSchemaField,
  json: JsonField,
};

/** Controls that can show any text, including an expression. */
const TEXTUAL: FieldKind[] = [
  'text',
  'json',
  'expression',
  'condition',
  'picked',
  'filter-rules',
  'table-filter',
  'assignments',
  'addresses',
  'duration',
  'number',
  'suggested',
  'object-schema',
];

/** The control of the schema, unless the current value needs another. */
export function controlFor(schema: Schema, value: unknown): FieldKind {
  const kind = kindOf(schema);
  if (isExpression(value) && !TEXTUAL.includes(kind)) return 'line';
  // The pairs control shows texts only. Values written through the API may be nested.
  if (kind === 'map' && isRecord(value) && Object.values(value).some((entry) => typeof entry === 'object'))
    return 'json';
  return kind;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
