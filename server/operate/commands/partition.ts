import { parseArgs } from 'node:util';
import { openWritableClient } from '@/server/operate/backup/maintenance';
import { partitionRunTables } from '@/server/engine/store/partitions/convert';
import { runOperatorCommand, commandDatabaseUrl } from './command';

const PARTITION_USAGE = `Usage: npm run partition [-- --days 7]

  --days   days of a partition: 1 to 31, default 7
`;
const MAX_PARTITION_DAYS = 31;

// `npm run partition`: partitions the tables of runs by time, while the service runs. For installations with millions
// of runs.
void runOperatorCommand(
  async () => {
    const { values } = parseArgs({ options: { days: { type: 'string', default: '7' } } });
    const days = Number(values.days);
    if (!Number.isInteger(days) || days < 1 || days > MAX_PARTITION_DAYS) {
      process.stderr.write(PARTITION_USAGE);
      return 1;
    }
    const client = await openWritableClient(commandDatabaseUrl());
    try {
      await partitionRunTables(client, days);
    } finally {
      await client.end();
    }
    process.stdout.write(`The tables of runs are partitioned: new partitions have ${days} days\n`);
    return 0;
  },
  { usage: PARTITION_USAGE },
);
