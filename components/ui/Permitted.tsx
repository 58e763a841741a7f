import { cloneElement, type ReactElement } from 'react';
import { Hint } from './Hint';
import { useCan, type Right } from '@/components/client/useCan';

interface Props {
  to: Right;
  /** A button. */
  children: ReactElement<Record<string, unknown>>;
}

const refuse = (event: { preventDefault(): void; stopPropagation(): void }) => {
  event.preventDefault();
  event.stopPropagation();
};

/** A button that needs a permission. Without it the button is disabled with an explanation, but still focusable. */
export function Permitted({ to, children }: Props) {
  const can = useCan();
  if (can(to) !== 'none') return children;
  const label = `Your role does not have the permission ${to.replace('_', ' ').replace(':', ': ')}.`;
  return (
    <Hint label={label}>
      {cloneElement(children, { 'data-disabled': true, 'aria-disabled': true, type: 'button', onClick: refuse })}
    </Hint>
  );
}
