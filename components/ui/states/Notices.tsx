import type { Notifications as NotificationsOfMantine } from '@mantine/notifications';
import { useState } from 'react';
import { useIdle } from '@/components/client/useIdle';

/** The notifications, loaded when the page is idle. Earlier notifications wait in the store. */
export function Notices() {
  const [found, setFound] = useState<{ Notifications: typeof NotificationsOfMantine }>();
  useIdle(() => {
    // A failed load can't be shown as a notification.
    import('@mantine/notifications').then(setFound, () => undefined);
  });
  return found && <found.Notifications position="bottom-right" limit={4} />;
}
