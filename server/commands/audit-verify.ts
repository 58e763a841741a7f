import { verifyChain } from '@/server/audit/verify';
import { chainIds } from '@/server/audit/retention';
import { command } from './command';

const USAGE =
  'Usage: npm run audit:verify [-- <workspace id> …]\n\nChecks the chains of audit entries: all of them, or those named.\n';

// `npm run audit:verify [workspace id …]`: checks every chain of audit entries, or those named. Exit code 1 if one is broken.
void command(
  async () => {
    const ids = process.argv.length > 2 ? process.argv.slice(2) : await chainIds();
    let isWhole = true;
    for (const id of ids) {
      const { valid, entries, firstBroken, reason, head } = await verifyChain(id);
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
