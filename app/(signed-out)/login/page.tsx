import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { LoginForm } from '@/components/auth/LoginForm';
import { returnPath } from '@/components/auth/return-path';
import { isNobodyHere, isSignUpOpen, visitor } from '@/server/auth/visitor';

export const metadata: Metadata = { title: 'Sign in' };

type Query = Record<'returnTo' | 'sso', string | string[] | undefined>;

export default async function Page({ searchParams }: { searchParams: Promise<Query> }) {
  const { returnTo, sso } = await searchParams;
  const path = returnPath(returnTo);
  if (await visitor(await headers())) redirect(path);
  return (
    <LoginForm
      returnTo={path}
      isOwnerNeeded={await isNobodyHere()}
      isSignUpOpen={isSignUpOpen()}
      ssoReason={[sso].flat()[0]}
    />
  );
}
