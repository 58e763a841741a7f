'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Shown in place of a page to whoever isn't signed in: leads to the sign-in and, after it, back here. */
export function ToLogin() {
  const router = useRouter();
  useEffect(() => {
    const here = `${location.pathname}${location.search}`;
    router.replace(here === '/workflows' ? '/login' : `/login?returnTo=${encodeURIComponent(here)}`);
  }, [router]);
  return null;
}
