import { resealAuditChains } from '@/server/people/audit/retention';
import { rotateColumnKeys, SEALED_COLUMNS } from '@/server/platform/db/rotate';
import { runOperatorCommand } from './command';

const USAGE =
  'Usage: npm run keys:rotate\n\nSeals all secrets under the first key of ENCRYPTION_KEY and MFA_SECRET_KEY.\n';

// `npm run keys:rotate`: seals all secrets under the first key of ENCRYPTION_KEY and MFA_SECRET_KEY, so that the others
// can be removed. Exit code 1 if a secret cannot be opened with any key.
void runOperatorCommand(
  async () => {
    let isWhole = true;
    for (const each of SEALED_COLUMNS) {
      const { table, column, rewritten, unreadable } = await rotateColumnKeys(each);
      isWhole &&= unreadable.length === 0;
      const warning = unreadable.length > 0 ? `, UNREADABLE: ${unreadable.join(' ')}` : '';
      process.stdout.write(`${table}.${column}: ${rewritten} sealed anew${warning}\n`);
    }
    process.stdout.write(`audit chains: ${await resealAuditChains()} sealed anew\n`);
    return isWhole ? 0 : 1;
  },
  { usage: USAGE },
);
