import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { formatExactDuration, parseDuration } from './written-duration';

interface Props extends Pick<TextInputProps, 'label' | 'description' | 'placeholder' | 'error' | 'w'> {
  /** Milliseconds; null: the field is empty. */
  value: number | null;
  /** Limits in milliseconds. */
  min: number;
  max?: number;
  /** The field may be empty, which is null. */
  isClearable?: boolean;
  /** Not called while the text is no duration within the limits. */
  onChange(value: number | null): void;
}

/** A duration, written as "2 h 30 min". */
export function DurationInput({
  value,
  min,
  max = Number.POSITIVE_INFINITY,
  isClearable,
  error,
  onChange,
  ...rest
}: Props) {
  // What was typed stays as it is until the field loses the focus; what is refused stays until it is corrected.
  const [typed, setTyped] = useState<string>();
  const limits = { min, max, isClearable };
  const refusal = typed === undefined ? undefined : durationInputError(typed, limits);
  const change = (text: string) => {
    setTyped(text);
    if (durationInputError(text, limits) === undefined) onChange(parseDuration(text) ?? null);
  };
  return (
    <TextInput
      {...rest}
      error={refusal ?? error}
      value={typed ?? (value === null ? '' : formatExactDuration(value))}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => refusal === undefined && setTyped(undefined)}
    />
  );
}

function durationInputError(
  text: string,
  { min, max, isClearable = false }: Pick<Props, 'min' | 'max' | 'isClearable'>,
) {
  if (text.trim() === '' && isClearable) return undefined;
  const ms = parseDuration(text);
  if (ms === undefined) return 'Write a duration, such as 90 s or 5 min';
  if (ms < min) return `At least ${formatExactDuration(min)}`;
  return max !== undefined && ms > max ? `At most ${formatExactDuration(max)}` : undefined;
}
