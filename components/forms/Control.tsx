import { Fieldset, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { duration } from '../ui/time';
import type { FieldProps } from './field';
import { Fields } from './Fields';
import { JsonField } from './JsonField';
import { ListField } from './ListField';
import { MapField } from './MapField';
import { ReferenceField } from './ReferenceField';
import { isExpression, kindOf, labelOf, numberOrText, type FieldKind, type Schema } from './schema';

/** The control for one field. An expression may stand in any of them; those that can't hold one turn into text. */
export function Control(props: FieldProps) {
  const { name, schema, value, isRequired, path, errors, onChange } = props;
  const common = {
    label: labelOf(name, schema),
    description: schema.description,
    error: errors.get(path),
    required: isRequired,
    withAsterisk: isRequired,
  };
  const text =
    value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const fallback =
    typeof schema.default === 'object' || schema.default === undefined ? undefined : String(schema.default);
  const onText = (typed: string) => {
    const isNumber = NUMERIC.includes(kindOf(schema));
    if (typed !== '=' || text !== '' || schema['x-literal'])
      return onChange(isNumber ? numberOrText(typed) : typed || undefined);
    onChange(BEGUN);
    beginWriting(document.activeElement);
  };

  switch (controlFor(schema, value)) {
    case 'choice': {
      const data = schema.enum?.map(String) ?? [];
      const pick = (picked: string | null) => onChange(schema.enum?.find((option) => String(option) === picked));
      return (
        <Select
          {...common}
          data={data}
          value={text || null}
          placeholder={fallback}
          clearable={!isRequired}
          onChange={pick}
        />
      );
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
        <TextInput
          {...common}
          value={text}
          placeholder={fallback}
          inputMode="decimal"
          onChange={(event) => onText(event.currentTarget.value)}
        />
      );
    case 'duration':
      return (
        <TextInput
          {...common}
          value={text}
          inputMode="decimal"
          rightSection={
            typeof value === 'number' && (
              <span style={{ fontSize: 12, color: 'var(--weft-muted)' }}>{duration(value)}</span>
            )
          }
          rightSectionWidth={96}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      );
    case 'line':
      return (
        <TextInput
          {...common}
          value={text}
          placeholder={fallback}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      );
    case 'text':
      return (
        <Textarea
          {...common}
          value={text}
          placeholder={fallback}
          autosize
          minRows={3}
          maxRows={14}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      );
    case 'reference':
      return <ReferenceField {...props} />;
    case 'code':
    case 'expression':
      return (
        <Textarea
          {...common}
          value={text}
          placeholder={schema.examples?.[0] === undefined ? undefined : String(schema.examples[0])}
          autosize
          minRows={kindOf(schema) === 'code' ? 8 : 1}
          maxRows={kindOf(schema) === 'code' ? 30 : 10}
          spellCheck={false}
          styles={MONOSPACE}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      );
    case 'addresses':
      return (
        <TagsInput
          {...common}
          value={Array.isArray(value) ? value.map(String) : text ? [text] : []}
          placeholder={fallback}
          splitChars={[]}
          acceptValueOnBlur
          onChange={(all) => onChange(all.length > 1 || (schema.type === 'array' && all.length) ? all : all[0])}
        />
      );
    case 'map':
      return <MapField {...props} />;
    case 'list':
      return <ListField {...props} />;
    case 'group':
      return (
        <Fieldset legend={common.label}>
          <Fields
            schema={schema}
            value={isRecord(value) ? value : {}}
            errors={errors}
            path={path}
            onChange={onChange}
          />
        </Fieldset>
      );
    case 'json':
      return <JsonField {...props} />;
  }
}

/** What `=` in an empty field makes, with the cursor between the braces. */
const BEGUN = '{{  }}';

function beginWriting(field: Element | null): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  requestAnimationFrame(() => field.setSelectionRange(3, 3));
}

const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };

const NUMERIC: FieldKind[] = ['number', 'duration'];

/** Controls that can show any text, and so an expression too. */
const TEXTUAL: FieldKind[] = ['text', 'json', 'expression', 'addresses', 'duration', 'number'];

/** The schema's control, unless the value at hand asks for another. */
export function controlFor(schema: Schema, value: unknown): FieldKind {
  const kind = kindOf(schema);
  if (isExpression(value) && !TEXTUAL.includes(kind)) return 'line';
  // Pairs are texts; whoever wrote more into them (through the API, say) gets to see it.
  if (kind === 'map' && isRecord(value) && Object.values(value).some((entry) => typeof entry === 'object'))
    return 'json';
  return kind;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
