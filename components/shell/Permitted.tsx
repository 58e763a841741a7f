import { cloneElement, type ReactElement } from 'react';
import { Hint } from '../ui/Hint';
import { useCan, type Right } from './useCan';

interface Props {
  to: Right;
  /** A button. */
  children: ReactElement<Record<string, unknown>>;
}

const refuse = (event: { preventDefault(): void; stopPropagation(): void }) => {
  event.preventDefault();
  event.stopPropagation();
};

/** A button for those who hold the right; for others it stays, does nothing, and says why, to the keyboard as well. */
export function Permitted({ to, children }: Props) {
  const can = useCan();
  if (can(to) !== 'none') return children;
  const label = `Your role here does not include ${to.replace('_', ' ').replace(':', ': ')}.`;
  return (
    <Hint label={label}>
      {cloneElement(children, { 'data-disabled': true, 'aria-disabled': true, type: 'button', onClick: refuse })}
    </Hint>
  );
}
