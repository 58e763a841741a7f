import { build, generate } from './build.mjs';
import { install } from './install.mjs';
import { bin, show } from './step.mjs';

// `npm run bench`: the production build, measured against bare programs in the same run.
await install();
await generate();
await build();
process.exitCode = await show(process.execPath, [
  bin('tsx/dist/cli.mjs'),
  'scripts/bench/bench.ts',
  ...process.argv.slice(2),
]);
