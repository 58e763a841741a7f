import { build, generate } from './build.mjs';
import { install } from './install.mjs';
import { bin, show } from './step.mjs';

// `npm run bench`: the production build, measured against bare programs in the same run. `npm run bench:frames`: its
// editor against a bare canvas. `npm run bench:neighbours`: a workspace beside others that attack. `npm run picture`:
// no measurement, but pictures.
const [first = '', ...others] = process.argv.slice(2);
/** @type {Record<string, string>} */
const PROGRAMS = {
  frames: 'bench/frames.ts',
  neighbours: 'bench/neighbours/neighbours.ts',
  picture: 'scripts/picture.ts',
};
const program = PROGRAMS[first];
await install();
await generate();
await build();
process.exitCode = await show(process.execPath, [
  bin('tsx/dist/cli.mjs'),
  program ?? 'bench/bench.ts',
  ...(program ? others : process.argv.slice(2)),
]);
