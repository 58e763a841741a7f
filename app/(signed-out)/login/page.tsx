import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { LoginForm } from '@/components/auth/sign-in/LoginForm';
import { localReturnPath } from '@/components/auth/sign-in/return-path';
import { webServices } from '@/server/api/http/web-services';

export const metadata: Metadata = { title: 'Sign in' };

type Query = Record<'returnTo' | 'sso', string | string[] | undefined>;

export default async function Page({ searchParams }: { searchParams: Promise<Query> }) {
  const { returnTo, sso } = await searchParams;
  const path = localReturnPath(returnTo);
  if (await webServices().findPageVisitor(await headers())) redirect(path);
  return (
    <LoginForm
      returnTo={path}
      isOwnerNeeded={await webServices().isServiceWithoutOwner()}
      isSignUpOpen={webServices().isSignUpOpen()}
      ssoReason={[sso].flat()[0]}
    />
  );
}
