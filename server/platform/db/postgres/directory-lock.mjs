// Plain JavaScript: `npm start` takes this lock before there is anything that could compile TypeScript.
import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Takes a folder for this process. The lock is a listening socket, so the kernel lets go of it however the process
 * ends, which no lock file can promise. Answers a release, or null when another live process has it.
 *
 * @param {string} directory
 * @returns {Promise<(() => Promise<void>) | null>}
 */
export async function lockDirectory(directory) {
  const name = `weft-${createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 24)}`;
  // Linux has sockets without a file; elsewhere the file outlives a killed process.
  const address = process.platform === 'linux' ? `\0${name}` : path.join(tmpdir(), `${name}.sock`);
  const release = await listen(address);
  if (release || process.platform === 'linux' || (await isAnswered(address))) return release;
  rmSync(address, { force: true });
  return listen(address);
}

/**
 * @param {string} address
 * @returns {Promise<(() => Promise<void>) | null>}
 */
function listen(address) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => ('code' in error && error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(address, () => {
      server.unref();
      resolve(() => new Promise((released) => server.close(() => released())));
    });
  });
}

/**
 * @param {string} address
 * @returns {Promise<boolean>}
 */
function isAnswered(address) {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}
