// `npm run release -- <version>`: see scripts/release/release.mjs, which needs libraries.
import './node-version.mjs';
import { install } from './install.mjs';

await install();
await import('./release/release.mjs');
