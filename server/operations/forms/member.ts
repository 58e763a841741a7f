import type { Person } from '@/server/access/caller';
import type { Call, CustomReply } from '@/server/api/operation';
import { memberOf, NotMember } from '../pages/member';
import type { AddressedForm } from './lookup';
import { noticePage } from './page';

/** The sender of a form: null for a public form. A reply instead if the form is for members and the caller is none. */
export async function senderOf(call: Call, form: AddressedForm): Promise<{ person: Person | null } | CustomReply> {
  if (form.access === 'public') return { person: null };
  const member = await memberOf(call, form.workspaceId, 'form');
  if (!(member instanceof NotMember)) return { person: member };
  return member.isSignedOut ? toSignIn(call, member.reason) : refused(member.reason);
}

/** The sign-in leads back to the form. */
const toSignIn = ({ path, rawQuery }: Call, text: string): CustomReply => {
  const here = `${path}${rawQuery === '' ? '' : `?${rawQuery}`}`;
  return noticePage({
    title: 'Sign in',
    text,
    status: 303,
    headers: { Location: `/login?returnTo=${encodeURIComponent(here)}` },
    link: { href: `/login?returnTo=${encodeURIComponent(here)}`, text: 'Sign in' },
  });
};

const refused = (text: string): CustomReply =>
  noticePage({ title: 'You cannot open this form', text, status: 403, link: { href: '/', text: 'Open the console' } });
