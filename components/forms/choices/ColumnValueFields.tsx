import { Input, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { ExpressionTextField } from '../ExpressionTextField';
import type { FieldControlProps } from '../model/field-props';
import { enumOptionLabel, schemaLabel } from '../model/field-schema';
import { isTimeText } from './model/column-values';

const VALUES_BY_ANSWER: Readonly<Record<string, boolean | undefined>> = { 'Not set': undefined, Yes: true, No: false };

/** Yes, no, or no value, which is not the same as no. */
export function YesNoField({ name, schema, value, isRequired, path, errors, onChange }: FieldControlProps) {
  const label = schemaLabel(name, schema);
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={schema.description}
      error={errors.get(path)}
      withAsterisk={isRequired}
    >
      <div>
        <SegmentedControl
          aria-label={label}
          data={Object.keys(VALUES_BY_ANSWER)}
          value={value === true ? 'Yes' : value === false ? 'No' : 'Not set'}
          onChange={(answer) => onChange(VALUES_BY_ANSWER[answer])}
        />
      </div>
    </Input.Wrapper>
  );
}

/** Some of the options of a column. Values that are no option any more stay until they are removed. */
export function OptionListField({ name, schema, value, isRequired, path, errors, onChange }: FieldControlProps) {
  const picked = Array.isArray(value) ? value.map(String) : [];
  const options = (schema.enum ?? []).map((option) => ({
    value: String(option),
    label: enumOptionLabel(option, schema),
  }));
  const gone = picked.filter((one) => !options.some((option) => option.value === one));
  return (
    <MultiSelect
      label={schemaLabel(name, schema)}
      description={schema.description}
      error={errors.get(path)}
      withAsterisk={isRequired}
      searchable
      data={[...options, ...gone.map((one) => ({ value: one, label: one }))]}
      value={picked}
      onChange={(next) => {
        const chosen = next.map((one) => schema.enum?.find((option) => String(option) === one) ?? one);
        onChange(chosen.length > 0 ? chosen : undefined);
      }}
    />
  );
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** A time as the control of the browser shows it, in the time zone of the person. */
function localTimeText(value: string): string {
  const time = new Date(value.replace(' ', 'T'));
  const day = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
  return `${day}T${clock}`;
}

interface CalendarFieldProps extends FieldControlProps {
  type: 'date' | 'datetime-local';
  hint?: string;
  toShown(value: string): string;
  toStored(typed: string): string;
}

/** A date or time in the control of the browser. A text that is none stays a text, so that it can be corrected. */
function CalendarField({
  name,
  schema,
  value,
  isRequired,
  path,
  errors,
  onChange,
  type,
  hint,
  toShown,
  toStored,
}: CalendarFieldProps) {
  const common = {
    label: schemaLabel(name, schema),
    description: schema.description ?? hint,
    error: errors.get(path),
    withAsterisk: isRequired,
  };
  const text = typeof value === 'string' ? value : '';
  if (text !== '' && !isTimeText(text))
    return <ExpressionTextField {...common} value={text} onChange={(typed) => onChange(typed || undefined)} />;
  return (
    <TextInput
      {...common}
      type={type}
      step={type === 'date' ? undefined : 1}
      value={text === '' ? '' : toShown(text)}
      onChange={({ currentTarget: { value: typed } }) => onChange(typed === '' ? undefined : toStored(typed))}
    />
  );
}

export function DateField(props: FieldControlProps) {
  return <CalendarField {...props} type="date" toShown={(value) => value.slice(0, 10)} toStored={(typed) => typed} />;
}

/** Times are stored in UTC. */
export function TimeField(props: FieldControlProps) {
  return (
    <CalendarField
      {...props}
      type="datetime-local"
      hint="In your time zone"
      toShown={localTimeText}
      toStored={(typed) => new Date(typed).toISOString()}
    />
  );
}
