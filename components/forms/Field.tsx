import { Fieldset, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { FieldProps } from './field';
import { JsonField } from './JsonField';
import { ListField } from './ListField';
import { MapField } from './MapField';
import { isExpression, kindOf, labelOf, numberOrText } from './schema';
import { SchemaForm } from './SchemaForm';

/** The control for one field. An expression may stand in any of them; those that can't hold one turn into text. */
export function Field(props: FieldProps) {
  const { name, schema, value, isRequired, path, errors, onChange } = props;
  const common = {
    label: labelOf(name, schema),
    description: schema.description,
    error: errors.get(path),
    required: isRequired,
    withAsterisk: isRequired,
  };
  const text = value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const fallback = typeof schema.default === 'object' || schema.default === undefined ? undefined : String(schema.default);
  const onText = (typed: string) => onChange(typed === '' ? undefined : typed);

  switch (isExpression(value) && !['text', 'json'].includes(kindOf(schema)) ? 'line' : kindOf(schema)) {
    case 'choice': {
      const data = schema.enum?.map(String) ?? [];
      const pick = (picked: string | null) => onChange(schema.enum?.find((option) => String(option) === picked));
      return <Select {...common} data={data} value={text || null} placeholder={fallback} clearable={!isRequired} onChange={pick} />;
    }
    case 'switch':
      return (
        <Switch
          label={common.label}
          description={common.description}
          error={common.error}
          checked={typeof value === 'boolean' ? value : schema.default === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <TextInput {...common} value={text} placeholder={fallback} inputMode="decimal" onChange={(event) => onChange(numberOrText(event.currentTarget.value))} />
      );
    case 'line':
      return <TextInput {...common} value={text} placeholder={fallback} onChange={(event) => onText(event.currentTarget.value)} />;
    case 'text':
      return (
        <Textarea {...common} value={text} placeholder={fallback} autosize minRows={3} maxRows={14} onChange={(event) => onText(event.currentTarget.value)} />
      );
    case 'map':
      return <MapField {...props} />;
    case 'list':
      return <ListField {...props} />;
    case 'group':
      return (
        <Fieldset legend={common.label}>
          <SchemaForm schema={schema} value={isRecord(value) ? value : {}} errors={errors} path={path} onChange={onChange} />
        </Fieldset>
      );
    case 'json':
      return <JsonField {...props} />;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
