import { execFileSync } from 'node:child_process';
import { root } from './step.mjs';

/**
 * What is random in tests follows from the commit: a commit passes or fails as a whole, and the next one tries other
 * values. `TEST_SEED` repeats what another commit tried.
 *
 * @returns {string}
 */
export function readSeed() {
  if (process.env['TEST_SEED']) return process.env['TEST_SEED'];
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return String(Number.parseInt(commit.slice(0, 7), 16));
  } catch {
    // Sources without a repository.
    return '1';
  }
}
