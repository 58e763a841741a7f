import { Autocomplete, Text, Textarea, TextInput } from '@mantine/core';
import { use, useRef, useState, type ChangeEvent, type ReactNode } from 'react';
import { ExpressionInput } from './large/ExpressionInput';
import { PreviewDataContext } from './preview-context';
import type { ReferenceOption } from './model/reference-options';
import { findSyntaxProblem } from './model/preview-expression';
import { hasExpressionBraces } from './model/field-schema';
import { usePathDropTarget } from './usePathDrop';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';

interface Props {
  label: ReactNode;
  isLabelHidden?: boolean;
  description?: ReactNode;
  error?: ReactNode;
  withAsterisk?: boolean;
  value: string;
  placeholder?: string;
  inputMode?: 'decimal';
  disabled?: boolean;
  isMultiline?: boolean;
  /** The value is literal: `=` and `{{ }}` have no meaning. */
  isLiteral?: boolean;
  /** Values to choose from, found by value or label. A field of one line takes any other text too. */
  suggestions?: readonly ReferenceOption[];
  onChange(text: string): void;
}

/** `=` in an empty field inserts this, with the cursor between the braces. */
const BLANK_EXPRESSION = '{{  }}';

/** A text field. A text with an expression is edited in the code editor. */
export function ExpressionTextField(props: Props) {
  const { label, isLabelHidden, isMultiline, isLiteral: isFixed, suggestions, value, onChange, ...rest } = props;
  const preview = use(PreviewDataContext);
  const language = useExpressionLanguage();
  const isLiteral = isFixed || preview === undefined;
  const caretRef = useRef<number>(undefined);
  // While it has the focus, the field does not switch back.
  const [isHeld, setHeld] = useState(false);
  const write = (text: string, caret: number | undefined) => {
    const isBegun = text === '=' && value === '' && !isLiteral;
    caretRef.current = isBegun ? 3 : caret;
    onChange(isBegun ? BLANK_EXPRESSION : text);
  };
  const canTake = !isLiteral && value === '';
  const drop = usePathDropTarget(canTake ? (path) => onChange(`{{ ${path} }}`) : undefined);
  if (!isLiteral && (hasExpressionBraces(value) || isHeld))
    return (
      <ExpressionInput
        {...rest}
        label={label}
        isLabelHidden={isLabelHidden}
        value={value}
        language="template"
        isSingleLine={!isMultiline}
        minLines={isMultiline ? 3 : 1}
        hint={rest.placeholder}
        values={preview?.scope}
        check={(text) => findSyntaxProblem(text, false, language)}
        caretRef={caretRef}
        onChange={(text) => {
          setHeld(true);
          write(text, undefined);
        }}
        onBlur={() => setHeld(false)}
      />
    );
  const onType = ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    write(currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length);
  const named = isLabelHidden ? { 'aria-label': String(label) } : { label };
  const common = { ...named, ...rest, value, onChange: onType };
  if (suggestions)
    return (
      <div {...drop}>
        <SuggestingInput {...named} {...rest} suggestions={suggestions} value={value} onChange={write} />
      </div>
    );
  return (
    <div {...drop}>
      {isMultiline ? <Textarea {...common} autosize minRows={3} maxRows={14} /> : <TextInput {...common} />}
    </div>
  );
}

interface SuggestingInputProps extends Pick<
  Props,
  'description' | 'error' | 'withAsterisk' | 'value' | 'placeholder' | 'disabled'
> {
  label?: ReactNode;
  'aria-label'?: string;
  suggestions: readonly ReferenceOption[];
  onChange(text: string, caret: number | undefined): void;
}

const MAX_SUGGESTIONS = 20;

function SuggestingInput({ suggestions, onChange, ...rest }: SuggestingInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const labels = new Map(suggestions.map(({ value, label }) => [value, label]));
  return (
    <Autocomplete
      {...rest}
      ref={field}
      data={[...labels.keys()]}
      limit={MAX_SUGGESTIONS}
      filter={({ options, search, limit }) => {
        const sought = search.trim().toLowerCase();
        const isFound = (value: string) => `${labels.get(value)} ${value}`.toLowerCase().includes(sought);
        return options.filter((option) => 'value' in option && isFound(option.value)).slice(0, limit);
      }}
      renderOption={({ option }) => (
        <span>
          {labels.get(option.value)}
          <Text size="xs" c="dimmed">
            {option.value}
          </Text>
        </span>
      )}
      onChange={(text) => onChange(text, field.current?.selectionStart ?? text.length)}
    />
  );
}
