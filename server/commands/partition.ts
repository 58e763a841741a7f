import { parseArgs } from 'node:util';
import { openClient } from '@/server/backup/maintenance';
import { partitionRuns } from '@/server/engine/store/partitions/convert';
import { command, databaseUrl } from './command';

const USAGE = `Usage: npm run partition [-- --days 7]

  --days   days of a partition: 1 to 31, default 7
`;
const MAX_DAYS = 31;

// `npm run partition`: partitions the tables of runs by time, while the service runs. For installations with millions of runs.
void command(
  async () => {
    const { values } = parseArgs({ options: { days: { type: 'string', default: '7' } } });
    const days = Number(values.days);
    if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
      process.stderr.write(USAGE);
      return 1;
    }
    const client = await openClient(databaseUrl());
    try {
      await partitionRuns(client, days);
    } finally {
      await client.end();
    }
    process.stdout.write(`The tables of runs are partitioned: new partitions have ${days} days\n`);
    return 0;
  },
  { usage: USAGE },
);
