import { Badge, Indicator, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { AppLink } from '@/components/ui/AppLink';
import { LightTooltip } from '@/components/ui/LightTooltip';
import classes from './Navigation.module.css';
import { describeWaitingRuns } from './waiting-runs';

const WAITING_REFRESH_MS = 20_000;

/** How many runs wait for a person, and the way to them; nothing if none does. */
export function WaitingRunsLink({ isNarrow }: { isNarrow: boolean }) {
  const trpc = useTRPC();
  const query = { status: 'paused', limit: '1' } as const;
  const { data } = useQuery(trpc.executions.list.queryOptions({ query }, { refetchInterval: WAITING_REFRESH_MS }));
  const count = data?.total ?? 0;
  if (count === 0) return null;
  const { label, badge, href } = describeWaitingRuns(count, data?.data[0]?.id);
  return (
    <LightTooltip label={label} side="right">
      <UnstyledButton component={AppLink} href={href} className={classes.link}>
        <Indicator label={badge} size={16} color="weld" autoContrast disabled={!isNarrow}>
          <IconHandStop size={19} stroke={1.7} aria-hidden display="block" />
        </Indicator>
        {!isNarrow && <span aria-hidden>Decisions</span>}
        <VisuallyHidden>{label}</VisuallyHidden>
        {!isNarrow && (
          <Badge size="sm" color="weld" variant="light" ml="auto" aria-hidden>
            {badge}
          </Badge>
        )}
      </UnstyledButton>
    </LightTooltip>
  );
}
