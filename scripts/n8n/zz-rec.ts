import { installN8n } from './install';
import { startRealN8n } from './real-n8n';
import { recordCases } from './record';
const n = await startRealN8n(installN8n('/tmp/n8n-real'));
for (const f of process.argv.slice(2)) console.log(f, await recordCases(n, f), new Date().toISOString());
await n.stop();
