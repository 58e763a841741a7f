import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { VerifyEmail } from '@/components/auth/VerifyEmail';
import { webServices } from '@/server/api/http/web-services';

export const metadata: Metadata = { title: 'Confirm your address', referrer: 'no-referrer' };

export default async function Page({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const token = [(await searchParams).token].flat()[0] ?? '';
  const person = await webServices().findPageVisitor(await headers());
  return <VerifyEmail token={token} signedInAs={person?.email ?? null} />;
}
