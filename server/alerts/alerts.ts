import { log } from '@/server/log';
import { repeat } from '@/server/repeat';
import { deliverNotices } from './deliver';
import { writeNotices } from './notices';

const EVERY_MS = 1000;

/** Sends what alerts ask for, as far as it is due. Answers how much there was. */
export async function sendAlerts(): Promise<number> {
  return (await writeNotices()) + (await deliverNotices());
}

/** The loop of a worker process. Several processes share the rows. */
export function startAlerts(): { stop(): Promise<void> } {
  const round = repeat(
    async () => ((await sendAlerts()) > 0 ? 0 : EVERY_MS),
    EVERY_MS,
    (error) => log().error({ err: error }, 'sending alerts failed'),
  );
  round.now();
  return round;
}
