import { cloneElement, type ReactElement } from 'react';
import { describeMissingPermission } from '@/components/client/permission-words';
import { LightTooltip } from './LightTooltip';
import { usePermissions, type PermissionName } from '@/components/client/usePermissions';

interface Props {
  to: PermissionName;
  /** A button. */
  children: ReactElement<Record<string, unknown>>;
}

const preventClick = (event: { preventDefault(): void; stopPropagation(): void }) => {
  event.preventDefault();
  event.stopPropagation();
};

/** A button that needs a permission. Without it the button is disabled with an explanation, but still focusable. */
export function PermittedButton({ to, children }: Props) {
  const can = usePermissions();
  if (can(to) !== 'none') return children;
  return (
    <LightTooltip label={describeMissingPermission(to)}>
      {cloneElement(children, { 'data-disabled': true, 'aria-disabled': true, type: 'button', onClick: preventClick })}
    </LightTooltip>
  );
}
