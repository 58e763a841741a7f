import { Anchor, Text } from '@mantine/core';

interface Props {
  /** What can’t be shown. */
  source?: string;
  /** What the expression is not, such as “rows”. */
  what: string;
  reason: string;
  onReset(): void;
}

/** Says why an expression cannot be edited with controls. */
export function NotPlain({ source = 'expression', what, reason, onReset }: Props) {
  return (
    <Text size="sm" c="dimmed" role="status">
      The {source} can’t be shown as {what}. {reason}{' '}
      <Anchor component="button" type="button" size="sm" onClick={onReset}>
        Replace it
      </Anchor>
    </Text>
  );
}
