import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ConfigurationError, type ServiceKeys } from '@/server/platform/env/env';
import { findDiskReason } from '@/server/data/files/disk-problem';

const StoredKeys = z.object({ JWT_SECRET: z.string(), ENCRYPTION_KEY: z.string(), MFA_SECRET_KEY: z.string() });

/** Where keys are that the environment does not give. */
export const keysFile = (dataDir: string): string => path.join(dataDir, 'keys.json');

/**
 * The keys in `dataDir/keys.json`, created at first use. Losing the file means losing all data encrypted with it, so
 * `warn` is called with its path. Throws ConfigurationError where the folder cannot be written.
 */
export function readOrCreateKeys(dataDir: string, warn: (message: string) => void): ServiceKeys {
  const file = keysFile(dataDir);
  if (!existsSync(file) && tryCreatingKeys(dataDir, file)) {
    warn(
      `Generated keys in ${path.resolve(file)}. Back the file up: data encrypted with these keys cannot be read without it. ` +
        'Processes on other machines need the same keys, as JWT_SECRET, ENCRYPTION_KEY and MFA_SECRET_KEY.',
    );
  }
  return StoredKeys.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function tryCreatingKeys(dataDir: string, file: string): boolean {
  try {
    return createKeysFile(dataDir, file);
  } catch (error) {
    const reason = findDiskReason(error);
    if (reason === undefined) throw error;
    throw new ConfigurationError([`DATA_DIR: ${path.resolve(dataDir)} cannot be written: ${reason}`]);
  }
}

/** Returns false if another process was faster; then its keys are used. */
function createKeysFile(dataDir: string, file: string): boolean {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const fresh = `${file}.${process.pid}`;
  const key = () => randomBytes(32).toString('base64url');
  const keys: ServiceKeys = { JWT_SECRET: key(), ENCRYPTION_KEY: key(), MFA_SECRET_KEY: key() };
  writeFileSync(fresh, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  try {
    // Creating a link is atomic and never replaces an existing file.
    linkSync(fresh, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(fresh, { force: true });
  }
}
