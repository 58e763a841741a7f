import type { ReactNode } from 'react';
import { ModesField } from './ModesField';

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
export function TwoModesField({ plain, written = 'Expression', other, isExpression, onWay, ...rest }: Props) {
  return (
    <ModesField
      {...rest}
      modes={[...(other ? [other.name] : []), plain, written]}
      mode={isExpression ? written : plain}
      onMode={(mode) => (mode === other?.name ? other.onPick() : onWay(mode === written))}
    />
  );
}
