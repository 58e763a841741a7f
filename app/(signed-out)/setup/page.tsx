import type { Metadata } from 'next';
import { SetupForm } from '@/components/auth/SetupForm';

export const metadata: Metadata = { title: 'Set up', referrer: 'no-referrer' };

export default async function Page({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  return <SetupForm token={[(await searchParams).token].flat()[0]} />;
}
