import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { LoginForm } from '@/components/auth/LoginForm';
import { returnPath } from '@/components/auth/return-path';
import { isNobodyHere, isSignUpOpen, visitor } from '@/server/auth/visitor';

export const metadata: Metadata = { title: 'Sign in' };

export default async function Page({ searchParams }: { searchParams: Promise<{ returnTo?: string | string[] }> }) {
  const path = returnPath((await searchParams).returnTo);
  if (await visitor(await headers())) redirect(path);
  return <LoginForm returnTo={path} isOwnerNeeded={await isNobodyHere()} isSignUpOpen={isSignUpOpen()} />;
}
