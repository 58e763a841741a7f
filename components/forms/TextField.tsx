import { Textarea, TextInput } from '@mantine/core';
import { use, useRef, useState, type ChangeEvent, type ReactNode } from 'react';
import { CodeInput } from '@/components/code/CodeInput';
import { PreviewContext } from './preview';
import { problemIn } from './resolve';
import { isExpression } from './schema';
import { usePathDrop } from './usePathDrop';

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
  onChange(text: string): void;
}

/** `=` in an empty field inserts this, with the cursor between the braces. */
const BEGUN = '{{  }}';

/** A text field. A text with an expression is edited in the code editor. */
export function TextField({ label, isLabelHidden, isMultiline, isLiteral: isFixed, value, onChange, ...rest }: Props) {
  const preview = use(PreviewContext);
  const isLiteral = isFixed || preview === undefined;
  const caretRef = useRef<number>(undefined);
  // While it has the focus, the field does not switch back.
  const [isHeld, setHeld] = useState(false);
  const write = (text: string, caret: number | undefined) => {
    const isBegun = text === '=' && value === '' && !isLiteral;
    caretRef.current = isBegun ? 3 : caret;
    onChange(isBegun ? BEGUN : text);
  };
  const canTake = !isLiteral && value === '';
  const drop = usePathDrop(canTake ? (path) => onChange(`{{ ${path} }}`) : undefined);
  if (!isLiteral && (isExpression(value) || isHeld))
    return (
      <CodeInput
        {...rest}
        label={label}
        isLabelHidden={isLabelHidden}
        value={value}
        language="template"
        isSingleLine={!isMultiline}
        minLines={isMultiline ? 3 : 1}
        hint={rest.placeholder}
        values={preview?.scope}
        check={(text) => problemIn(text, false)}
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
  const common = { ...(isLabelHidden ? { 'aria-label': String(label) } : { label }), ...rest, value, onChange: onType };
  return (
    <div {...drop}>
      {isMultiline ? <Textarea {...common} autosize minRows={3} maxRows={14} /> : <TextInput {...common} />}
    </div>
  );
}
