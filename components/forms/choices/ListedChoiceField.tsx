import { TextInput } from '@mantine/core';
import { use, useState } from 'react';
import { ReadOnlyContext } from '@/components/ui/values/read-only';
import { ExpressionTextField } from '../ExpressionTextField';
import type { FieldControlProps } from '../model/field-props';
import { hasExpressionBraces, schemaLabel } from '../model/field-schema';
import { PreviewDataContext } from '../preview-context';
import { ModesField } from '../rules/ModesField';
import { ChoicePicker } from './ChoicePicker';
import { ChoiceTargetContext } from './choice-target';
import { toListedValue } from './model/listed-value';
import { pickedDescription } from './model/picked-description';

type ListedChoiceMode = 'From list' | 'By id' | 'Expression';

/** A field whose value is picked from what a source lists, typed, or computed. */
export function ListedChoiceField(props: FieldControlProps) {
  const { name, schema, value, isRequired, path, errors, siblings, siblingSchemas, onChange } = props;
  const canCompute = use(PreviewDataContext) !== undefined && schema['x-literal'] !== true;
  const isExpression = canCompute && hasExpressionBraces(value);
  const [chosen, setChosen] = useState<ListedChoiceMode>();
  const mode = isExpression
    ? 'Expression'
    : chosen === 'Expression' && value !== undefined
      ? 'By id'
      : (chosen ?? 'From list');
  const source = schema['x-choices'];
  const target = use(ChoiceTargetContext);
  const isReadOnly = use(ReadOnlyContext);
  const write = (next: unknown, picked?: string) => {
    if (picked !== target?.labels?.[path]) target?.onLabel?.(path, picked);
    onChange(toListedValue(schema, next));
  };
  const label = schemaLabel(name, schema);
  const change = (next: ListedChoiceMode) => {
    setChosen(next);
    // A value of the one kind means nothing in the other.
    if (isExpression !== (next === 'Expression')) write(next === 'Expression' ? '{{ input }}' : undefined);
  };
  if (!source) return null;
  if (isReadOnly && !isExpression)
    return <TextInput label={label} value={target?.labels?.[path] ?? String(value)} readOnly />;
  return (
    <ModesField<ListedChoiceMode>
      label={label}
      description={mode === 'From list' ? pickedDescription(schema.description) : schema.description}
      error={errors.get(path)}
      isRequired={isRequired}
      modes={['From list', 'By id', ...(canCompute ? (['Expression'] as const) : [])]}
      mode={mode}
      onMode={change}
    >
      {mode === 'From list' ? (
        <ChoicePicker
          label={label}
          source={source}
          siblings={siblings}
          siblingSchemas={siblingSchemas}
          value={value}
          isInvalid={errors.has(path)}
          knownLabel={target?.labels?.[path]}
          isNext={target?.openPath === path}
          onPick={(choice) => write(choice.value, choice.label)}
        />
      ) : (
        <ExpressionTextField
          label={mode === 'By id' ? `${label}: id` : label}
          isLabelHidden
          value={value === undefined || value === null ? '' : String(value)}
          isLiteral={mode === 'By id' ? true : undefined}
          onChange={(text) => write(text || undefined)}
        />
      )}
    </ModesField>
  );
}
