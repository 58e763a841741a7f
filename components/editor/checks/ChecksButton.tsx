import { ActionIcon } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { LightTooltip } from '@/components/ui/LightTooltip';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import classes from './ChecksButton.module.css';
import { useWorkflowChecks } from './useWorkflowChecks';

/** Number of problems that keep the workflow from running. Opens the list. */
export function ChecksButton({ catalogue, onOpen }: { catalogue: NodeTypesByName; onOpen(): void }) {
  const checks = useWorkflowChecks(catalogue);
  const gaps = checks.filter(({ isHint }) => !isHint).length;
  const label = gaps === 0 ? 'Checks' : gaps === 1 ? 'Checks: 1 problem' : `Checks: ${gaps} problems`;
  return (
    <LightTooltip label={label}>
      <ActionIcon size="lg" aria-label={label} onClick={onOpen} className={classes.button}>
        <IconChecklist size={19} aria-hidden />
        {gaps > 0 && (
          <span className={classes.count} aria-hidden>
            {gaps > 99 ? '99+' : gaps}
          </span>
        )}
      </ActionIcon>
    </LightTooltip>
  );
}
