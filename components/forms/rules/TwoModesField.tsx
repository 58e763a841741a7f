import { Input, SegmentedControl } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './Rules.module.css';

interface Props {
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  isRequired: boolean;
  /** The name of the mode without an expression. */
  plain: string;
  /** The name of the mode in which the value is typed as text. */
  written?: string;
  /** A mode in which another field replaces this one. */
  other?: { name: string; onPick(): void };
  isExpression: boolean;
  onWay(isExpression: boolean): void;
  children: ReactNode;
}

/** A field that is edited with controls or as an expression. */
export function TwoModesField({
  label,
  description,
  error,
  isRequired,
  plain,
  written = 'Expression',
  other,
  isExpression,
  onWay,
  children,
}: Props) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <div className={classes.head}>
        <Input.Label id={id} labelElement="div" required={isRequired}>
          {label}
        </Input.Label>
        <SegmentedControl
          size="xs"
          aria-label={`How to edit ${label}`}
          data={[...(other ? [other.name] : []), plain, written]}
          value={isExpression ? written : plain}
          onChange={(way) => (way === other?.name ? other.onPick() : onWay(way === written))}
        />
      </div>
      {description && <Input.Description mb={6}>{description}</Input.Description>}
      {children}
      {error && <Input.Error mt={6}>{error}</Input.Error>}
    </div>
  );
}
