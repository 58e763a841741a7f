import { Input, SegmentedControl } from '@mantine/core';
import { use, useId, type ReactNode } from 'react';
import { ReadOnlyContext } from '@/components/ui/values/read-only';
import classes from './Rules.module.css';

interface Props<Mode extends string> {
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  isRequired: boolean;
  /** The ways to edit the field, as people read them. */
  modes: readonly Mode[];
  mode: Mode;
  onMode(mode: Mode): void;
  children: ReactNode;
}

/** A field that can be edited in several ways. */
export function ModesField<Mode extends string>({
  label,
  description,
  error,
  isRequired,
  modes,
  mode,
  onMode,
  children,
}: Props<Mode>) {
  const id = useId();
  const isReadOnly = use(ReadOnlyContext);
  return (
    <div role="group" aria-labelledby={id}>
      <div className={classes.head}>
        <Input.Label id={id} labelElement="div" required={isRequired}>
          {label}
        </Input.Label>
        {!isReadOnly && (
          <SegmentedControl
            size="xs"
            aria-label={`How to edit ${label}`}
            data={[...modes]}
            value={mode}
            onChange={(next) => onMode(next as Mode)}
          />
        )}
      </div>
      {description && <Input.Description mb={6}>{description}</Input.Description>}
      {children}
      {error && <Input.Error mt={6}>{error}</Input.Error>}
    </div>
  );
}
