import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { SignUpForm } from '@/components/auth/SignUpForm';
import { webServices } from '@/server/api/http/web-services';

export const metadata: Metadata = { title: 'Sign up' };

export default async function Page() {
  if (await webServices().findPageVisitor(await headers())) redirect('/workflows');
  if (!webServices().isSignUpOpen()) notFound();
  return <SignUpForm />;
}
