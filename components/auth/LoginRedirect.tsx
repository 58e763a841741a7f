'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Redirects a signed-out visitor to the sign-in page, and back to this page afterwards. */
export function LoginRedirect() {
  const router = useRouter();
  useEffect(() => {
    const here = `${location.pathname}${location.search}`;
    router.replace(here === '/workflows' ? '/login' : `/login?returnTo=${encodeURIComponent(here)}`);
  }, [router]);
  return null;
}
