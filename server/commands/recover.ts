import { randomBytes } from 'node:crypto';
import { recover, type Recovery } from '../auth/recovery';
import { command } from './command';

const USAGE = `Usage: npm run recover -- <email> [--password] [--second-factor]

  --password        gives the person a new password, shown here once
  --second-factor   takes their second factor away; they set up a new one

Either signs them out everywhere and lifts a block after failed attempts.
`;

// `npm run recover -- <email> …`: for whoever runs the service, when somebody is locked out and no administrator of
// theirs can help: the owner, for one.
void command(async () => {
  const [email = '', ...flags] = process.argv.slice(2);
  const known = ['--password', '--second-factor'];
  if (!email || flags.length === 0 || flags.some((flag) => !known.includes(flag))) {
    process.stderr.write(USAGE);
    return 1;
  }
  const password = flags.includes('--password') ? randomBytes(18).toString('base64url') : null;
  const what: Recovery = { password, isFactorRemoved: flags.includes('--second-factor') };
  const person = await recover(email, what);
  if (!person) {
    process.stderr.write(`Nobody has the address ${email}\n`);
    return 1;
  }
  if (password) process.stdout.write(`${person.name} signs in with this password and changes it then: ${password}\n`);
  if (what.isFactorRemoved) process.stdout.write(`${person.name} has no second factor any more\n`);
  return 0;
});
