import type { Notifications as NotificationsOfMantine } from '@mantine/notifications';
import { useState } from 'react';
import { useIdle } from '../client/useIdle';

/**
 * Where notifications appear. Its code comes when the page is there; what was to be told before that waits in the
 * notifications' store.
 */
export function Notices() {
  const [found, setFound] = useState<{ Notifications: typeof NotificationsOfMantine }>();
  useIdle(() => {
    // Nobody to tell that there is nothing to tell with.
    import('@mantine/notifications').then(setFound, () => undefined);
  });
  return found && <found.Notifications position="bottom-right" limit={4} />;
}
