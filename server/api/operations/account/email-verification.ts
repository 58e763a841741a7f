import { VerifyEmailRequest } from '@/contract/access/session';
import { defineOperation, signedInAccess } from '@/server/api/operation/operation';
import { jsonBody, submitEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import { appendAuditEntries } from '@/server/people/audit/record';
import {
  isEmailVerificationNeeded,
  mailVerificationLink,
  readVerificationToken,
} from '@/server/people/accounts/email-verification';
import { dailyQuotaProblem } from '@/server/platform/quotas/mails';

const EMAIL_VERIFICATION_TAG = 'Authentication';

const verifyEmailOperation = defineOperation({
  id: 'auth.verifyEmail',
  method: 'POST',
  path: '/api/auth/verify-email',
  summary: 'Confirm my email address',
  description:
    'With the token of the link that was mailed at sign-up, as the user who signed up: another recipient of the mail can' +
    'not confirm an account that is not theirs. Confirming again changes nothing.',
  tag: EMAIL_VERIFICATION_TAG,
  access: signedInAccess(),
  effect: writeEffect('authentication'),
  body: jsonBody(VerifyEmailRequest),
  async run({ db, person: { userId, email }, note }, { body: { token } }) {
    note({ resourceId: userId });
    const account = await readVerificationToken(token);
    if (account?.userId !== userId || account.email !== email) {
      throw invalidFieldProblem('token', 'does not confirm the address of this account; it may be too old');
    }
    await db.user.updateMany({ where: { id: userId, emailProvenAt: null }, data: { emailProvenAt: new Date() } });
  },
});

const resendVerificationOperation = defineOperation({
  id: 'auth.resendVerification',
  method: 'POST',
  path: '/api/auth/verify-email/resend',
  summary: 'Send the confirmation link again',
  description: 'Five times a day at most (else 429). 409 when there is nothing to confirm.',
  tag: EMAIL_VERIFICATION_TAG,
  access: signedInAccess(),
  // The mail is sent outside of a transaction.
  effect: submitEffect('authentication'),
  async run(call) {
    const { db, ipAddress } = call;
    const { userId, email } = call.person;
    const { emailProvenAt } = await db.user.findUniqueOrThrow({ where: { id: userId } });
    if (emailProvenAt || !isEmailVerificationNeeded()) throw conflictProblem('There is nothing to confirm.');
    const isMailed = await mailVerificationLink({ userId, email }, { workspaceId: null, ipAddress });
    if (!isMailed) throw dailyQuotaProblem('As many links as a day allows were mailed already. Try again tomorrow.');
    call.note({ resourceId: userId });
    await appendAuditEntries(db, [call.auditEntry()]);
  },
});

export const emailVerificationOperations = [verifyEmailOperation, resendVerificationOperation];
