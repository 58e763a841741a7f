import path from 'node:path';
import { writeJsonOnly } from '@/server/boot/json-output';
import { Supervisor } from '@/server/boot/supervisor';

/** Runs in progress outlive a small young generation, and copying them costs about 10 % of the CPU time. */
const OPTIONS = ['--enable-source-maps', '--max-semi-space-size=32'];

writeJsonOnly();
new Supervisor([...OPTIONS, path.join(import.meta.dirname, 'server.mjs')]).start();
