import { build, generate } from './build.mjs';
import { install } from './install.mjs';
import { bin, show } from './step.mjs';

// `npm run bench`: the production build, measured against bare programs in the same run. `npm run bench:frames`: its
// editor against a bare canvas.
const [first, ...others] = process.argv.slice(2);
const isFrames = first === 'frames';
await install();
await generate();
await build();
process.exitCode = await show(process.execPath, [
  bin('tsx/dist/cli.mjs'),
  isFrames ? 'scripts/bench/frames.ts' : 'scripts/bench/bench.ts',
  ...(isFrames ? others : process.argv.slice(2)),
]);
