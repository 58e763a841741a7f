import { ActionIcon } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { Hint } from '../ui/Hint';
import type { Catalogue } from '../canvas/flow';
import classes from './ChecksButton.module.css';
import { useChecks } from './useChecks';

/** How much is to be settled before the workflow can run; pressed, what. */
export function ChecksButton({ catalogue, onOpen }: { catalogue: Catalogue; onOpen(): void }) {
  const checks = useChecks(catalogue);
  const gaps = checks.filter(({ isHint }) => !isHint).length;
  const label =
    gaps === 0 ? 'Checks' : gaps === 1 ? 'Checks: 1 thing is missing' : `Checks: ${gaps} things are missing`;
  return (
    <Hint label={label}>
      <ActionIcon size="lg" aria-label={label} onClick={onOpen} className={classes.button}>
        <IconChecklist size={19} aria-hidden />
        {gaps > 0 && (
          <span className={classes.count} aria-hidden>
            {gaps > 99 ? '99+' : gaps}
          </span>
        )}
      </ActionIcon>
    </Hint>
  );
}
