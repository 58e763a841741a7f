import NextAuth from 'next-auth';
import type { NextRequest } from 'next/server';
import { nowhere } from '@/server/api/rest';
import { browserLogin } from '@/server/auth/browser-login';
import { deviceCookie } from '@/server/auth/device';

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
  if (!OFFERED[request.method]?.includes(action)) return elsewhere.GET(request);
  let signedIn: string | undefined;
  const options = browserLogin(request.headers, (email) => (signedIn = email));
  const answer = (await NextAuth(request, context, options)) as Response;
  if (signedIn) answer.headers.append('Set-Cookie', deviceCookie(signedIn, request.headers));
  return answer;
};

export const { PUT, DELETE, PATCH, OPTIONS } = elsewhere;
export { handler as GET, handler as POST };
