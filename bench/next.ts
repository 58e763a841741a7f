// Reference: a bare route of Next.js that answers GET /healthz without any other code of this project.
// Environment: PORT.
import { createServer } from 'node:http';
import path from 'node:path';
import next from 'next';

const port = Number(process.env['PORT']);
const app = next({ dev: false, dir: path.resolve(import.meta.dirname, '..'), hostname: '127.0.0.1', port });
await app.prepare();
const answer = app.getRequestHandler();
createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1', () =>
  process.stdout.write('Processes: next\n'),
);
