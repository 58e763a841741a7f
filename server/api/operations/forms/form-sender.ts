import type { AuthenticatedPerson } from '@/server/people/access/caller';
import type { OperationCall, CustomResponse } from '@/server/api/operation/operation';
import type { AuditRow } from '@/server/people/audit/entry';
import { identifyPageMember, MembershipRefusal } from '../pages/page-member';
import type { AddressedForm } from './addressed-form';
import { noticePage } from './html-page';

/**
 * Identifies the sender of a form: nobody for a public form. Returns a page if the form is for members and the caller
 * is not one.
 */
export async function identifyFormSender(
  call: OperationCall,
  form: Pick<AddressedForm, 'access' | 'workspaceId'>,
): Promise<{ person: AuthenticatedPerson | null } | CustomResponse> {
  if (form.access === 'public') return { person: null };
  const member = await identifyPageMember(call, form.workspaceId, 'form');
  if (!(member instanceof MembershipRefusal)) return { person: member };
  return member.isSignedOut ? redirectToSignIn(call, member.reason) : forbiddenFormPage(member.reason);
}

/** The audit entry of what a sender sends: its actor is the member, if the form is for members. */
export function buildSenderAuditEntry(call: OperationCall, person: AuthenticatedPerson | null): AuditRow {
  const entry = call.auditEntry();
  return person ? { ...entry, actor: { type: 'user', id: person.userId, email: person.email } } : entry;
}

/** The sign-in leads back to the form. */
const redirectToSignIn = ({ path, rawQuery }: OperationCall, text: string): CustomResponse => {
  const here = `${path}${rawQuery === '' ? '' : `?${rawQuery}`}`;
  return noticePage({
    title: 'Sign in',
    text,
    status: 303,
    headers: { Location: `/login?returnTo=${encodeURIComponent(here)}` },
    link: { href: `/login?returnTo=${encodeURIComponent(here)}`, text: 'Sign in' },
  });
};

const forbiddenFormPage = (text: string): CustomResponse =>
  noticePage({ title: 'You cannot open this form', text, status: 403, link: { href: '/', text: 'Open the console' } });
