import { useNow } from '@/components/ui/values/useNow';
import { clock } from './clock';

/** The time that is left, as minutes and seconds. */
export function Countdown({ endsAt }: { endsAt: number }) {
  return <span role="timer">{clock(endsAt - useNow(1000))}</span>;
}
