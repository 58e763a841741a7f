// `npm run check:observability`: checks the alert rules of deploy/observability with promtool, and the metrics of a
// service that runs at METRICS_URL, if that is set. Installs promtool with apt if it is missing.
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { root, show } from '../../scripts/step.mjs';
import { ensureTools } from '../../scripts/tools.mjs';

await ensureTools({ promtool: 'prometheus' });
const folder = path.join(root, 'deploy/observability');
for (const [work, file] of [
  ['check', 'alerts.yaml'],
  ['test', 'alerts.test.yaml'],
])
  if ((await show('promtool', [work, 'rules', path.join(folder, file)])) !== 0) throw new Error(`${file} is wrong.`);

const { METRICS_URL, METRICS_TOKEN } = process.env;
if (METRICS_URL) {
  const headers = METRICS_TOKEN ? { Authorization: `Bearer ${METRICS_TOKEN}` } : undefined;
  const answer = await fetch(METRICS_URL, { headers });
  if (!answer.ok) throw new Error(`${METRICS_URL} answered ${answer.status}.`);
  const { status, stderr, stdout } = spawnSync('promtool', ['check', 'metrics'], { input: await answer.text() });
  process.stdout.write(`${stdout}${stderr}`);
  if (status !== 0) throw new Error('The metrics do not follow the conventions.');
}
