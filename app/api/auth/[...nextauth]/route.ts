import NextAuth from 'next-auth';
import type { NextRequest } from 'next/server';
import { nowhere } from '@/server/api/rest';
import { browserLogin } from '@/server/auth/browser-login';

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

/** What a browser needs of next-auth; whatever else lies under this address is answered like any unknown one. */
const OFFERED: Record<string, string[]> = {
  GET: ['providers', 'csrf', 'session', 'signin', 'signout', 'error'],
  POST: ['callback/credentials', 'signout', '_log'],
};
const elsewhere = nowhere();

const handler = async (request: NextRequest, context: Context): Promise<Response> => {
  const action = (await context.params).nextauth.join('/');
  return OFFERED[request.method]?.includes(action)
    ? NextAuth(request, context, browserLogin(request.headers))
    : elsewhere.GET(request);
};

export const { PUT, DELETE, PATCH, OPTIONS } = elsewhere;
export { handler as GET, handler as POST };
