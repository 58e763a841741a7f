import type { Person } from '@/server/access/caller';
import type { Call, CustomReply } from '@/server/api/operation';
import { markUsed } from '@/server/auth/session-life';
import { standingOf } from '@/server/pipeline/steps/identify';
import type { AddressedForm } from './lookup';
import { noticePage } from './page';

const FOR_MEMBERS = 'This form is for members of its workspace.';

/** The sender of a form: null for a public form. A reply instead if the form is for members and the caller is none. */
export async function senderOf(call: Call, form: AddressedForm): Promise<{ person: Person | null } | CustomReply> {
  if (form.access === 'public') return { person: null };
  const standing = await standingOf(call, form.workspaceId);
  if (!standing) return toSignIn(call);
  const { person, caller, pendingFactor, needsSso } = standing;
  if (standing.isUseOld && person.sessionId !== null) await markUsed(person.sessionId);
  if (needsSso) return refused('The workspace requires a sign-in through its own provider.');
  if (!caller) return refused(`${FOR_MEMBERS} You are signed in as ${person.email}.`);
  if (pendingFactor) return refused(`${FOR_MEMBERS} Complete the sign-in with your second factor first.`);
  return { person };
}

/** The sign-in leads back to the form. */
const toSignIn = ({ path, rawQuery }: Call): CustomReply => {
  const here = `${path}${rawQuery === '' ? '' : `?${rawQuery}`}`;
  return noticePage({
    title: 'Sign in',
    text: FOR_MEMBERS,
    status: 303,
    headers: { Location: `/login?returnTo=${encodeURIComponent(here)}` },
    link: { href: `/login?returnTo=${encodeURIComponent(here)}`, text: 'Sign in' },
  });
};

const refused = (text: string): CustomReply =>
  noticePage({ title: 'You cannot open this form', text, status: 403, link: { href: '/', text: 'Open the console' } });
