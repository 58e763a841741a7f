import { formatTimeAgo } from './time-format';
import { useCurrentTime } from './useCurrentTime';
import { LightTooltip } from '../LightTooltip';

/** A relative time, with the exact local time on hover. */
export function TimeAgo({ at }: { at: string }) {
  const now = useCurrentTime(30_000);
  return (
    <LightTooltip label={new Date(at).toLocaleString()}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {formatTimeAgo(Date.parse(at), now)}
      </time>
    </LightTooltip>
  );
}
