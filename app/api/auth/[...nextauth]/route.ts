import NextAuth from 'next-auth';
import type { NextRequest } from 'next/server';
import { browserLogin } from '@/server/auth/browser-login';

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

const handler = (request: NextRequest, context: Context): Promise<Response> =>
  NextAuth(request, context, browserLogin(request.headers));

export { handler as GET, handler as POST };
