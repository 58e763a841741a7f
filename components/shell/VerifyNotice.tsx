import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useMe } from '@/components/client/useMe';

// Loaded on demand: rarely shown.
const VerifyNoticeBar = lazyWithPreload(() => import('./VerifyNoticeBar').then((module) => module.VerifyNoticeBar));

/** Asks a new user to confirm the email address. */
export function VerifyNotice() {
  const { me } = useMe();
  if (!me || me.user.isEmailVerified) return null;
  return <VerifyNoticeBar email={me.user.email} />;
}
