import { resealChains } from '../auth/audit-retention';
import { rotateColumn, SEALED_COLUMNS } from '../db/rotate';
import { command } from './command';

// `npm run keys:rotate`: seals everything anew under the first of ENCRYPTION_KEY and MFA_SECRET_KEY, after which the
// others can go. Exit code 1 if something can't be read under any of them.
void command(async () => {
  let isWhole = true;
  for (const each of SEALED_COLUMNS) {
    const { table, column, rewritten, unreadable } = await rotateColumn(each);
    isWhole &&= unreadable.length === 0;
    const lost = unreadable.length > 0 ? `, UNREADABLE: ${unreadable.join(' ')}` : '';
    process.stdout.write(`${table}.${column}: ${rewritten} sealed anew${lost}\n`);
  }
  process.stdout.write(`audit chains: ${await resealChains()} sealed anew\n`);
  return isWhole ? 0 : 1;
});
