import { WorkspaceTier } from '@/contract/tier';
import { databasePool } from '@/server/platform/db/client';
import { runOperatorCommand } from './command';

const USAGE = `Usage: npm run tier -- <workspace id or slug> <${WorkspaceTier.options.join('|')}>\n`;

// `npm run tier -- <workspace id or slug> <free|starter|enterprise|unlimited>`: sets the limits of a workspace. Takes
// effect with the next call.
void runOperatorCommand(
  async () => {
    const [workspace, tierName] = process.argv.slice(2);
    const tier = WorkspaceTier.safeParse(tierName);
    if (!workspace || !tier.success) {
      process.stderr.write(USAGE);
      return 1;
    }
    const { rows } = await databasePool().query<{ id: string; name: string }>(
      'UPDATE workspace SET tier = $2, updated_at = now() WHERE id = $1 OR slug = $1 RETURNING id, name',
      [workspace, tier.data],
    );
    const [row] = rows;
    process.stdout.write(
      row ? `${row.name} (${row.id}) is now ${tier.data}\n` : `There is no workspace ${workspace}\n`,
    );
    return row ? 0 : 1;
  },
  { usage: USAGE },
);
