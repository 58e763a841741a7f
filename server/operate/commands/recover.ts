import { randomBytes } from 'node:crypto';
import { recoverAccount, type RecoveryOptions } from '@/server/people/accounts/recovery';
import { runOperatorCommand } from './command';

const RECOVER_USAGE = `Usage: npm run recover -- <email> [--password] [--second-factor]

  --password        sets a new password, shown here once
  --second-factor   removes the second factor; the person can set up a new one

Both end all sessions and lift a block after failed attempts.
`;

// `npm run recover -- <email> …`: for operators, if a user is locked out and no administrator can help, for example
// the owner.
void runOperatorCommand(
  async () => {
    const [email = '', ...flags] = process.argv.slice(2);
    const options = ['--password', '--second-factor'];
    if (!email || flags.length === 0 || flags.some((flag) => !options.includes(flag))) {
      process.stderr.write(RECOVER_USAGE);
      return 1;
    }
    const password = flags.includes('--password') ? randomBytes(18).toString('base64url') : null;
    const recovery: RecoveryOptions = { password, isFactorRemoved: flags.includes('--second-factor') };
    const person = await recoverAccount(email, recovery);
    if (!person) {
      process.stderr.write(`No account has the address ${email}\n`);
      return 1;
    }
    if (password)
      process.stdout.write(`${person.name} can sign in with this password and should change it: ${password}\n`);
    if (recovery.isFactorRemoved) process.stdout.write(`${person.name} no longer has a second factor\n`);
    return 0;
  },
  { usage: RECOVER_USAGE },
);
