import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SetupForm } from '@/components/auth/SetupForm';
import { webServices } from '@/server/api/http/web-services';

export const metadata: Metadata = { title: 'Set up', referrer: 'no-referrer' };

export default async function Page({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  if (!(await webServices().isServiceWithoutOwner())) redirect('/login');
  return <SetupForm token={[(await searchParams).token].flat()[0]} />;
}
