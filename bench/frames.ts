// Frame times of large workflows, compared with a bare React Flow of the same size in the same run.
// `npm run bench:frames [-- --sizes 500,2000] [-- --at http://localhost:8080] [-- --json FILE]`
// Without `--at` it starts the production build on a separate database.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { startCluster } from '../server/testing/cluster';
import { systemBrowser } from '../scripts/browser.mjs';
import { openBare } from './frames-bare';
import { openEditor, startService } from './frames-editor';
import { gridOf, type Opened } from './frames-graph';
import { recordFrames, type Frames } from './frames-record';

const { values: options } = parseArgs({
  options: { sizes: { type: 'string' }, at: { type: 'string' }, json: { type: 'string' } },
});
const sizes = (options.sizes ?? '500,2000').split(',').map(Number);

interface Row extends Frames {
  nodes: number;
  page: 'editor' | 'bare';
  gesture: 'drag' | 'pan' | 'zoom';
  openMs: number;
}
const rows: Row[] = [];

/** Opens a page, then pans, zooms and drags a node, each for a few seconds. */
async function measure(nodes: number, page: Row['page'], open: () => Promise<Opened>): Promise<void> {
  const opened = await open();
  for (const gesture of ['pan', 'zoom', 'drag'] as const) {
    const frames = await recordFrames(opened.page, gesture);
    const row: Row = { nodes, page, gesture, openMs: opened.openMs, ...frames };
    rows.push(row);
    const { fps, p50, p95, long, longest, cpuMs } = frames;
    process.stdout.write(
      `${String(nodes).padStart(5)} ${page.padEnd(6)} ${gesture.padEnd(4)}  open ${opened.openMs.toFixed(0).padStart(5)} ms  ` +
        `${fps.toFixed(1).padStart(5)} fps  p50 ${p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms  ` +
        `over 50 ms: ${long}  longest ${longest.toFixed(0)} ms  cpu ${cpuMs.toFixed(0)} ms\n`,
    );
  }
  await opened.page.context().close();
}

const browser = await chromium.launch({ executablePath: systemBrowser(), args: ['--disable-gpu'] });
const cluster = options.at ? undefined : await startCluster();
const service = cluster && (await startService(cluster));
try {
  const origin = options.at ?? service?.origin ?? '';
  for (const nodes of sizes) {
    const definition = gridOf(nodes);
    await measure(nodes, 'bare', () => openBare(browser, definition));
    await measure(nodes, 'editor', () => openEditor(browser, origin, definition));
  }
} finally {
  await browser.close();
  await service?.stop();
  await cluster?.remove();
}
if (options.json) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
