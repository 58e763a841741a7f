import { serviceLog } from '@/server/platform/log';
import { repeatAction } from '@/server/platform/timers/repeat';
import { deliverDueNotices } from './deliver';
import { writeAlertNotices } from './notices';

const ALERT_INTERVAL_MS = 1000;

/** Sends what alerts ask for, as far as it is due. Answers how much there was. */
export async function sendDueAlerts(): Promise<number> {
  return (await writeAlertNotices()) + (await deliverDueNotices());
}

/** The loop of a worker process. Several processes share the rows. */
export function startAlertLoop(): { stop(): Promise<void> } {
  const round = repeatAction(
    async () => ((await sendDueAlerts()) > 0 ? 0 : ALERT_INTERVAL_MS),
    ALERT_INTERVAL_MS,
    (error) => serviceLog().error({ err: error }, 'sending alerts failed'),
  );
  round.wake();
  return round;
}
