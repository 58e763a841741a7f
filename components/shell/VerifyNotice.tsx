import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useCurrentUser } from '@/components/client/useCurrentUser';

// The bar is loaded on demand, because it is rarely shown.
const VerifyNoticeBar = lazyWithPreload(() => import('./VerifyNoticeBar').then((module) => module.VerifyNoticeBar));

/** Asks a new user to confirm the email address. */
export function VerifyNotice() {
  const { me } = useCurrentUser();
  if (!me || me.user.isEmailVerified) return null;
  return <VerifyNoticeBar email={me.user.email} />;
}
