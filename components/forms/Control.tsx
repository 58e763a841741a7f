import { Fieldset, Select, Switch } from '@mantine/core';
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
  const { name, schema, value, isRequired, path, errors, onChange } = props;
  const labels = {
    label: labelOf(name, schema),
    description: schema.description,
    error: errors.get(path),
    withAsterisk: isRequired,
  };
  const text =
    value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const fallback =
    typeof schema.default === 'object' || schema.default === undefined ? undefined : String(schema.default);
  const common = {
    ...labels,
    value: text,
    placeholder: fallback,
    isLiteral: schema['x-literal'] === true,
    onChange: (typed: string) => onChange(kindOf(schema) === 'number' ? numberOrText(typed) : typed || undefined),
  };

  switch (controlFor(schema, value)) {
    case 'choice': {
      const data = (schema.enum ?? []).map((option) => ({ value: String(option), label: optionLabel(option, schema) }));
      const pick = (picked: string | null) => onChange(schema.enum?.find((option) => String(option) === picked));
      return (
        <Select
          {...labels}
          data={data}
          value={text || null}
          placeholder={fallback && optionLabel(fallback, schema)}
          clearable={!isRequired}
          onChange={pick}
        />
      );
    }
    case 'switch':
      return (
        <Switch
          label={labels.label}
          description={labels.description}
          error={labels.error}
          checked={typeof value === 'boolean' ? value : schema.default === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
      return <TextField {...common} inputMode="decimal" />;
    case 'duration':
      return (
        <DurationField
          {...labels}
          value={value}
          fallback={typeof schema.default === 'number' ? schema.default : undefined}
          isLiteral={common.isLiteral}
          onChange={onChange}
        />
      );
    case 'line':
      return <TextField {...common} />;
    case 'text':
      return <TextField {...common} isMultiline />;
    case 'reference':
      return <ReferenceField {...props} />;
    case 'condition':
      return <ConditionField {...props} />;
    case 'picked':
      return <PickedField {...props} />;
    case 'filter-rules':
      return props.alternative ? <FilterField {...props} alternative={props.alternative} /> : <JsonField {...props} />;
    case 'table-filter':
      return <TableFilterField {...props} />;
    case 'assignments':
      return props.alternative ? (
        <AssignmentsField {...props} alternative={props.alternative} />
      ) : (
        <JsonField {...props} />
      );
    case 'case':
      return props.alternative ? <CaseField {...props} alternative={props.alternative} /> : <TypedField {...props} />;
    case 'typed':
      return <TypedField {...props} />;
    case 'code':
    case 'expression':
      return <WrittenField {...props} />;
    case 'addresses':
      return <AddressesField {...props} />;
    case 'map':
      return <MapField {...props} />;
    case 'list':
      return <ListField {...props} />;
    case 'group':
      return (
        <Fieldset legend={labels.label}>
          <Fields
            schema={schema}
            value={isRecord(value) ? value : {}}
            errors={errors}
            path={path}
            onChange={onChange}
          />
        </Fieldset>
      );
    case 'optional-group':
      return <OptionalGroup {...props} />;
    case 'form-fields':
      return <FormFieldsField {...props} />;
    case 'suggested':
      return <SuggestedField {...props} />;
    case 'object-schema':
      return <ObjectSchemaField {...props} />;
    case 'json':
      return <JsonField {...props} />;
  }
}

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
