import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { SignUpForm } from '@/components/auth/SignUpForm';
import { web } from '@/server/http/web-services';

export const metadata: Metadata = { title: 'Sign up' };

export default async function Page() {
  if (await web().visitor(await headers())) redirect('/workflows');
  if (!web().isSignUpOpen()) notFound();
  return <SignUpForm />;
}
