import type { Notifications as NotificationsOfMantine } from '@mantine/notifications';
import { useState } from 'react';
import { useIdleCallback } from '@/components/client/useIdleCallback';

/** The notifications, loaded when the page is idle. Earlier notifications wait in the store. */
export function NotificationArea() {
  const [found, setFound] = useState<{ Notifications: typeof NotificationsOfMantine }>();
  useIdleCallback(() => {
    // A failed load can't be shown as a notification.
    import('@mantine/notifications').then(setFound, () => undefined);
  });
  return found && <found.Notifications position="bottom-right" limit={4} />;
}
