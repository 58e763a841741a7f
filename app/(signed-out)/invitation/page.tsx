import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { Invitation } from '@/components/auth/Invitation';
import { InvitationOver } from '@/components/auth/InvitationOver';
import { webServices } from '@/server/api/http/web-services';

export const metadata: Metadata = { title: 'Invitation', referrer: 'no-referrer' };

export default async function Page({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const token = [(await searchParams).token].flat()[0] ?? '';
  const invitation = await webServices().findInvitationByToken(token);
  const person = await webServices().findPageVisitor(await headers());
  if (!invitation) return <InvitationOver />;
  return (
    <Invitation
      token={token}
      invitation={invitation}
      signedInAs={person?.email ?? null}
      isThroughProvider={person !== null && person.onlyWorkspaceId !== null}
    />
  );
}
