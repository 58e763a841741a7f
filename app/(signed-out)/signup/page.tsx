import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { SignUpForm } from '@/components/auth/SignUpForm';
import { isSignUpOpen, visitor } from '@/server/auth/visitor';

export const metadata: Metadata = { title: 'Sign up' };

export default async function Page() {
  if (await visitor(await headers())) redirect('/workflows');
  if (!isSignUpOpen()) notFound();
  return <SignUpForm />;
}
