import { NumberInput } from '@mantine/core';

interface Props {
  label: string;
  description: string;
  /** What is counted, as it stands behind the number. */
  unit: string;
  value: number;
  error: string | undefined;
  onChange(value: number): void;
}

/** A whole number of something. */
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
