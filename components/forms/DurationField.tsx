import { useState, type ReactNode } from 'react';
import { formatExactDuration, parseDuration } from '@/components/ui/values/written-duration';
import { hasExpressionBraces } from './model/field-schema';
import { ExpressionTextField } from './ExpressionTextField';

interface Props {
  label: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
  withAsterisk?: boolean;
  disabled?: boolean;
  /** Milliseconds, or an expression. */
  value: unknown;
  /** Milliseconds that apply while the field is empty. */
  fallback?: number;
  isLiteral?: boolean;
  /**
   * Called with undefined for an empty field, and with a text for an expression. Not called while the text is no
   * duration.
   */
  onChange(value: number | string | undefined): void;
}

const DURATION_ERROR_TEXT = 'Write a duration, such as 2 h 30 min';

/** A duration, written as "2 h 30 min" and stored in milliseconds. */
export function DurationField({ value, fallback, error, onChange, ...rest }: Props) {
  // What was typed stays as it is until the field loses the focus; what is no duration stays until it is corrected.
  const [typed, setTyped] = useState<string>();
  const isRefused = typed !== undefined && parseDurationValue(typed, rest.isLiteral) === 'refused';
  const written = typeof value === 'number' ? formatExactDuration(value) : String(value ?? '');
  const change = (text: string) => {
    setTyped(text);
    const read = parseDurationValue(text, rest.isLiteral);
    if (read !== 'refused') onChange(read?.value);
  };
  return (
    <div onBlur={() => isRefused || setTyped(undefined)}>
      <ExpressionTextField
        {...rest}
        error={isRefused ? DURATION_ERROR_TEXT : error}
        value={typed ?? written}
        placeholder={fallback === undefined ? '5 min' : formatExactDuration(fallback)}
        onChange={change}
      />
    </div>
  );
}

/** The value of a text; undefined: the text is empty. */
function parseDurationValue(text: string, isLiteral = false): { value: number | string } | 'refused' | undefined {
  if (text.trim() === '') return undefined;
  if (!isLiteral && hasExpressionBraces(text)) return { value: text };
  const value = parseDuration(text);
  return value === undefined ? 'refused' : { value };
}
