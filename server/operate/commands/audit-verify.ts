import { verifyAuditChain } from '@/server/people/audit/verify';
import { listChainIds } from '@/server/people/audit/retention';
import { runOperatorCommand } from './command';

const USAGE =
  'Usage: npm run audit:verify [-- <workspace id> …]\n\nChecks the chains of audit entries: all of them, or those named.\n';

// `npm run audit:verify [workspace id …]`: checks every chain of audit entries, or those named. Exit code 1 if one is
// broken.
void runOperatorCommand(
  async () => {
    const ids = process.argv.length > 2 ? process.argv.slice(2) : await listChainIds();
    let isWhole = true;
    for (const id of ids) {
      const { valid, entries, firstBroken, reason, head } = await verifyAuditChain(id);
      isWhole &&= valid;
      const end = head ? `ends at ${head.position} ${head.hash}` : 'empty';
      process.stdout.write(
        `${id}: ${entries} entries, ${end}: ${valid ? 'whole' : `BROKEN at ${firstBroken ?? 'its end'}: ${reason}`}\n`,
      );
    }
    return isWhole ? 0 : 1;
  },
  { usage: USAGE },
);
