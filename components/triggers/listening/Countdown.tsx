import { useCurrentTime } from '@/components/ui/values/useCurrentTime';
import { formatCountdown } from './clock';

/** The time that is left, as minutes and seconds. */
export function Countdown({ endsAt }: { endsAt: number }) {
  return <span role="timer">{formatCountdown(endsAt - useCurrentTime(1000))}</span>;
}
