import { parseArgs } from 'node:util';
import {
  beginMaintenance,
  endMaintenance,
  maintenanceStatus,
  openWritableClient,
} from '@/server/operate/backup/maintenance';
import { runOperatorCommand, commandDatabaseUrl } from './command';

const MAINTENANCE_USAGE = `Usage: npm run maintenance -- on [--reason "…"] | off | status

  on       changes are refused, workers stop, deliveries of webhooks are held, the database refuses writes
  off      ends it; held deliveries are submitted
  status   says whether it is on, and how many deliveries are held
`;

// `npm run maintenance -- on | off | status`: for work on the database, while processes keep answering reads.
void runOperatorCommand(
  async () => {
    const { values, positionals } = parseArgs({ options: { reason: { type: 'string' } }, allowPositionals: true });
    const client = await openWritableClient(commandDatabaseUrl());
    try {
      switch (positionals.join(' ')) {
        case 'on':
          await beginMaintenance(client, values.reason ?? 'The operator works on the database.');
          process.stdout.write('Maintenance is on: the database refuses writes, and deliveries are held\n');
          return 0;
        case 'off':
          await endMaintenance(client);
          process.stdout.write('Maintenance is over\n');
          return 0;
        case 'status': {
          const { maintenance, held } = await maintenanceStatus(client);
          const state = maintenance ? `on since ${maintenance.since.toISOString()}: ${maintenance.reason}` : 'off';
          process.stdout.write(`Maintenance is ${state}\nHeld deliveries: ${held}\n`);
          return 0;
        }
        default:
          process.stderr.write(MAINTENANCE_USAGE);
          return 1;
      }
    } finally {
      await client.end();
    }
  },
  { usage: MAINTENANCE_USAGE, isMigrating: false },
);
