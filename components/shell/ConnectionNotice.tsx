'use client';

import { useNetwork } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { connectionState, noteAnswer } from '@/components/client/connection-state';
import { useStoreSlice } from '@/components/client/store';
import classes from './ConnectionNotice.module.css';

/** Interval in which the service is asked whether it answers again. */
const PROBE_INTERVAL_MS = 3000;

/** Says that the browser is offline or that the service does not answer, until it does. The page then reads anew. */
export function ConnectionNotice() {
  const { online } = useNetwork();
  const isUnreachable = useStoreSlice(connectionState, (state) => state.isUnreachable);
  const queryClient = useQueryClient();
  const isAway = !online || isUnreachable;
  useEffect(() => {
    if (!isUnreachable) return;
    const probe = async () => {
      const response = await fetch('/healthz', { cache: 'no-store' }).catch(() => undefined);
      if (!response?.ok) return;
      noteAnswer(true);
      // The editor saves what waits, as after a lost network.
      dispatchEvent(new Event('online'));
      await queryClient.invalidateQueries();
    };
    const timer = setInterval(() => void probe(), PROBE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isUnreachable, queryClient]);
  return (
    <div role="status" className={classes.place}>
      {isAway && (
        <div className={classes.notice}>
          <IconCloudOff size={16} aria-hidden />
          {online ? 'The service does not answer.' : 'You are offline.'} Edits of workflows are kept in this browser and
          saved when it is back.
        </div>
      )}
    </div>
  );
}
