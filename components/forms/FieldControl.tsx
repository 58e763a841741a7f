import { Fieldset, Select, Switch } from '@mantine/core';
import type { ComponentType } from 'react';
import { AddressesField } from './addresses/AddressesField';
import { ColumnRowsField } from './choices/ColumnRowsField';
import { ColumnsField } from './choices/ColumnsField';
import { ListedChoiceField } from './choices/ListedChoiceField';
import { SortColumnsField } from './choices/SortColumnsField';
import { DateField, OptionListField, TimeField, YesNoField } from './choices/ColumnValueFields';
import { DurationField } from './DurationField';
import type { FieldControlProps } from './model/field-props';
import { SchemaFields } from './SchemaFields';
import { FormFieldsField } from './FormFieldsField';
import { JsonField } from './JsonField';
import { ListField } from './ListField';
import { KeyValueField } from './KeyValueField';
import { OptionalGroupField } from './OptionalGroupField';
import { ReferenceField } from './ReferenceField';
import { AssignmentsField } from './rules/AssignmentsField';
import { SwitchCaseField } from './rules/SwitchCaseField';
import { ConditionField } from './rules/ConditionField';
import { FilterRulesField } from './rules/FilterRulesField';
import { ItemFieldField, ItemFieldsField } from './rules/ItemFieldField';
import { ListSourceField } from './rules/ListSourceField';
import { MeasuresField } from './rules/MeasuresField';
import { TableFilterField } from './rules/TableFilterField';
import { PickedPathField } from './rules/PickedPathField';
import { TypedValueField } from './rules/TypedValueField';
import {
  hasExpressionBraces,
  fieldControlKind,
  schemaLabel,
  parseNumberOrText,
  enumOptionLabel,
  type FieldControlKind,
  type FieldSchema,
} from './model/field-schema';
import { ObjectSchemaField } from './schema-fields/ObjectSchemaField';
import { SuggestedField } from './SuggestedField';
import { ExpressionTextField } from './ExpressionTextField';
import { CodeField } from './CodeField';

/** The control of one field. Every field accepts an expression; controls without text turn into a text field for it. */
export function FieldControl(props: FieldControlProps) {
  const Shown = CONTROLS_BY_KIND[chooseControl(props.schema, props.value)];
  return <Shown {...props} />;
}

/** Label, description and error of a control. */
const controlLabels = ({ name, schema, isRequired, path, errors }: FieldControlProps) => ({
  label: schemaLabel(name, schema),
  description: schema.description,
  error: errors.get(path),
  withAsterisk: isRequired,
});

const controlText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The default of a field as a placeholder. */
const defaultPlaceholder = ({ default: value }: FieldSchema): string | undefined =>
  typeof value === 'object' || value === undefined ? undefined : String(value);

/** Properties of a text field. What is typed into the field of a number becomes one, if it is one. */
const textControlProps = (props: FieldControlProps) => ({
  ...controlLabels(props),
  value: controlText(props.value),
  placeholder: defaultPlaceholder(props.schema),
  isLiteral: props.schema['x-literal'] === true,
  onChange: (typed: string) =>
    props.onChange(fieldControlKind(props.schema) === 'number' ? parseNumberOrText(typed) : typed || undefined),
});

function SelectControl(props: FieldControlProps) {
  const { schema, value, isRequired, onChange } = props;
  const fallback = defaultPlaceholder(schema);
  return (
    <Select
      {...controlLabels(props)}
      data={(schema.enum ?? []).map((option) => ({ value: String(option), label: enumOptionLabel(option, schema) }))}
      value={controlText(value) || null}
      placeholder={fallback && enumOptionLabel(fallback, schema)}
      clearable={!isRequired}
      onChange={(picked) => onChange(schema.enum?.find((option) => String(option) === picked))}
    />
  );
}

function SwitchControl(props: FieldControlProps) {
  const { schema, value, onChange } = props;
  const { label, description, error } = controlLabels(props);
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

function DurationControl(props: FieldControlProps) {
  const { schema, value, onChange } = props;
  return (
    <DurationField
      {...controlLabels(props)}
      value={value}
      fallback={typeof schema.default === 'number' ? schema.default : undefined}
      isLiteral={schema['x-literal'] === true}
      onChange={onChange}
    />
  );
}

function GroupControl(props: FieldControlProps) {
  const { schema, value, errors, path, onChange } = props;
  return (
    <Fieldset legend={controlLabels(props).label}>
      <SchemaFields
        schema={schema}
        value={isObjectValue(value) ? value : {}}
        errors={errors}
        path={path}
        onChange={onChange}
      />
    </Fieldset>
  );
}

/** `Preferred` edits a field together with its alternative; a field without one has the control `Otherwise`. */
const withAlternative =
  (
    Preferred: ComponentType<FieldControlProps & Required<Pick<FieldControlProps, 'alternative'>>>,
    Otherwise: ComponentType<FieldControlProps>,
  ) =>
  (props: FieldControlProps) =>
    props.alternative ? <Preferred {...props} alternative={props.alternative} /> : <Otherwise {...props} />;

const CONTROLS_BY_KIND: Record<FieldControlKind, ComponentType<FieldControlProps>> = {
  choice: SelectControl,
  switch: SwitchControl,
  number: (props) => <ExpressionTextField {...textControlProps(props)} inputMode="decimal" />,
  duration: DurationControl,
  line: (props) => <ExpressionTextField {...textControlProps(props)} />,
  text: (props) => <ExpressionTextField {...textControlProps(props)} isMultiline />,
  reference: ReferenceField,
  condition: ConditionField,
  picked: PickedPathField,
  'list-source': ListSourceField,
  'item-field': ItemFieldField,
  'item-fields': ItemFieldsField,
  measures: MeasuresField,
  'filter-rules': withAlternative(FilterRulesField, JsonField),
  'table-filter': TableFilterField,
  assignments: withAlternative(AssignmentsField, JsonField),
  case: withAlternative(SwitchCaseField, TypedValueField),
  typed: TypedValueField,
  code: CodeField,
  expression: CodeField,
  addresses: AddressesField,
  map: KeyValueField,
  list: ListField,
  group: GroupControl,
  'optional-group': OptionalGroupField,
  'form-fields': FormFieldsField,
  suggested: SuggestedField,
  'object-schema': ObjectSchemaField,
  'listed-choice': ListedChoiceField,
  columns: ColumnsField,
  'column-rows': ColumnRowsField,
  'sort-columns': SortColumnsField,
  'yes-no': YesNoField,
  'option-list': OptionListField,
  date: DateField,
  time: TimeField,
  json: JsonField,
};

/** Controls that can show any text, including an expression. */
const KINDS_SHOWING_TEXT: FieldControlKind[] = [
  'text',
  'json',
  'expression',
  'condition',
  'picked',
  'list-source',
  'filter-rules',
  'table-filter',
  'assignments',
  'addresses',
  'duration',
  'number',
  'suggested',
  'object-schema',
  'listed-choice',
  'columns',
  'column-rows',
  'sort-columns',
];

/** The control of the schema, unless the current value needs another. */
export function chooseControl(schema: FieldSchema, value: unknown): FieldControlKind {
  const kind = fieldControlKind(schema);
  if (hasExpressionBraces(value) && !KINDS_SHOWING_TEXT.includes(kind)) return 'line';
  // The pairs control shows texts only. Values written through the API may be nested.
  if (kind === 'map' && isObjectValue(value) && Object.values(value).some((entry) => typeof entry === 'object'))
    return 'json';
  // An expression may compute the list of fields.
  if (kind === 'form-fields' && isObjectValue(value) && typeof value['fields'] === 'string') return 'json';
  return kind;
}

const isObjectValue = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
