import { Anchor, Text } from '@mantine/core';

interface Props {
  /** The kind of value that can’t be shown. */
  source?: string;
  /** The form in which the expression can’t be shown, such as “rows”. */
  what: string;
  reason: string;
  onReset(): void;
}

/** Explains why an expression cannot be edited with controls. */
export function NotShowableNote({ source = 'expression', what, reason, onReset }: Props) {
  return (
    <Text size="sm" c="dimmed" role="status">
      The {source} can’t be shown as {what}. {reason}{' '}
      <Anchor component="button" type="button" size="sm" onClick={onReset}>
        Replace it
      </Anchor>
    </Text>
  );
}
