import { useState, type ReactNode } from 'react';
import { durationText, parseDuration } from '@/components/ui/values/written-duration';
import { isExpression } from './model/schema';
import { TextField } from './TextField';

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
  /** Undefined: the field is empty. A text is an expression. Not called for what is no duration. */
  onChange(value: number | string | undefined): void;
}

const NO_DURATION = 'Write a duration, such as 2 h 30 min';

/** A duration, written as "2 h 30 min" and stored in milliseconds. */
export function DurationField({ value, fallback, error, onChange, ...rest }: Props) {
  // What was typed stays as it is until the field loses the focus; what is no duration stays until it is corrected.
  const [typed, setTyped] = useState<string>();
  const isRefused = typed !== undefined && valueOf(typed, rest.isLiteral) === 'refused';
  const written = typeof value === 'number' ? durationText(value) : String(value ?? '');
  const change = (text: string) => {
    setTyped(text);
    const read = valueOf(text, rest.isLiteral);
    if (read !== 'refused') onChange(read?.value);
  };
  return (
    <div onBlur={() => isRefused || setTyped(undefined)}>
      <TextField
        {...rest}
        error={isRefused ? NO_DURATION : error}
        value={typed ?? written}
        placeholder={fallback === undefined ? '5 min' : durationText(fallback)}
        onChange={change}
      />
    </div>
  );
}

/** The value of a text; undefined: the text is empty. */
function valueOf(text: string, isLiteral = false): { value: number | string } | 'refused' | undefined {
  if (text.trim() === '') return undefined;
  if (!isLiteral && isExpression(text)) return { value: text };
  const value = parseDuration(text);
  return value === undefined ? 'refused' : { value };
}
