import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { LoginForm } from '@/components/auth/sign-in/LoginForm';
import { returnPath } from '@/components/auth/sign-in/return-path';
import { web } from '@/server/http/web-services';

export const metadata: Metadata = { title: 'Sign in' };

type Query = Record<'returnTo' | 'sso', string | string[] | undefined>;

export default async function Page({ searchParams }: { searchParams: Promise<Query> }) {
  const { returnTo, sso } = await searchParams;
  const path = returnPath(returnTo);
  if (await web().visitor(await headers())) redirect(path);
  return (
    <LoginForm
      returnTo={path}
      isOwnerNeeded={await web().hasNoOwner()}
      isSignUpOpen={web().isSignUpOpen()}
      ssoReason={[sso].flat()[0]}
    />
  );
}
