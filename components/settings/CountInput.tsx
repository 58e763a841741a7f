import { NumberInput } from '@mantine/core';

interface Props {
  label: string;
  description: string;
  /** Shown after the number. */
  unit: string;
  value: number;
  error: string | undefined;
  onChange(value: number): void;
}

/** Input for a whole number with a unit. */
export function CountInput({ unit, onChange, ...field }: Props) {
  return (
    <NumberInput
      {...field}
      maw={420}
      suffix={` ${unit}`}
      allowDecimal={false}
      allowNegative={false}
      onChange={(value) => onChange(Number(value))}
    />
  );
}
