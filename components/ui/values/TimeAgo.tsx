import { ago } from './time';
import { useNow } from './useNow';
import { Hint } from '../Hint';

/** A relative time, with the exact local time on hover. */
export function TimeAgo({ at }: { at: string }) {
  const now = useNow(30_000);
  return (
    <Hint label={new Date(at).toLocaleString()}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {ago(Date.parse(at), now)}
      </time>
    </Hint>
  );
}
