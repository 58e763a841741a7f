import { EmailVerification } from '@/contract/access/session';
import { operation, signedInAccess } from '@/server/api/operation';
import { jsonBody, submitEffect, writeEffect } from '@/server/api/operation-parts';
import { conflict, invalidField } from '@/server/errors/problem';
import { record } from '@/server/audit/record';
import { isVerificationNeeded, mailVerification, readVerification } from '@/server/accounts/email-verification';
import { tooManyToday } from '@/server/quotas/mails';

const tag = 'Authentication';

const verify = operation({
  id: 'auth.verifyEmail',
  method: 'POST',
  path: '/api/auth/verify-email',
  summary: 'Confirm my email address',
  description:
    'With the token of the link that was mailed at sign-up, as the user who signed up: another recipient of the mail can' +
    'not confirm an account that is not theirs. Confirming again changes nothing.',
  tag,
  access: signedInAccess(),
  effect: writeEffect('authentication'),
  body: jsonBody(EmailVerification),
  async run({ db, person: { userId, email }, note }, { body: { token } }) {
    note({ resourceId: userId });
    const account = await readVerification(token);
    if (account?.userId !== userId || account.email !== email) {
      throw invalidField('token', 'does not confirm the address of this account; it may be too old');
    }
    await db.user.updateMany({ where: { id: userId, emailProvenAt: null }, data: { emailProvenAt: new Date() } });
  },
});

const resend = operation({
  id: 'auth.resendVerification',
  method: 'POST',
  path: '/api/auth/verify-email/resend',
  summary: 'Send the confirmation link again',
  description: 'Five times a day at most (else 429). 409 when there is nothing to confirm.',
  tag,
  access: signedInAccess(),
  // The mail is sent outside of a transaction.
  effect: submitEffect('authentication'),
  async run(call) {
    const { db, ipAddress } = call;
    const { userId, email } = call.person;
    const { emailProvenAt } = await db.user.findUniqueOrThrow({ where: { id: userId } });
    if (emailProvenAt || !isVerificationNeeded()) throw conflict('There is nothing to confirm.');
    const isMailed = await mailVerification({ userId, email }, { workspaceId: null, ipAddress });
    if (!isMailed) throw tooManyToday('As many links as a day allows were mailed already. Try again tomorrow.');
    call.note({ resourceId: userId });
    await record(db, [call.auditEntry()]);
  },
});

export const emailVerification = [verify, resend];
