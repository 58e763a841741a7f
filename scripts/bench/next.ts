// A bare route of Next: the production build's answer to GET /healthz, which looks at nothing, with Next in front of it
// and nothing of ours. Environment: PORT.
import { createServer } from 'node:http';
import path from 'node:path';
import next from 'next';

const port = Number(process.env['PORT']);
const app = next({ dev: false, dir: path.resolve(import.meta.dirname, '../..'), hostname: '127.0.0.1', port });
await app.prepare();
const answer = app.getRequestHandler();
createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1', () =>
  process.stdout.write('Processes: next\n'),
);
