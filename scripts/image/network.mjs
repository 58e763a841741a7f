// A network of containers in miniature: each member is a network namespace on one bridge, and may run programs in the
// image's file system.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The user of the image. */
const USER = 1000;
const NETWORK = '10.77.0';

/** @param {string[]} words */
function command(...words) {
  const [program = '', ...args] = words;
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')} failed: ${error?.message ?? stderr}`);
}

/**
 * @typedef {object} Member
 * @property {string} name
 * @property {string} address
 * @property {string} log a file
 */

/** A bridge in the network namespace of this process, which must be a new one, as must be its mount namespace. */
export class Network {
  /** @type {Member[]} */
  members = [];
  folder = mkdtempSync(path.join(tmpdir(), 'weft-fleet-'));
  hosts = path.join(this.folder, 'hosts');
  /** @type {Set<import('node:child_process').ChildProcess>} */
  processes = new Set();

  constructor() {
    command('mkdir', '-p', '/run/netns');
    command('mount', '-t', 'tmpfs', 'tmpfs', '/run/netns');
    command('ip', 'link', 'set', 'lo', 'up');
    command('ip', 'link', 'add', 'bridge', 'type', 'bridge');
    command('ip', 'address', 'add', `${NETWORK}.1/24`, 'dev', 'bridge');
    command('ip', 'link', 'set', 'bridge', 'up');
    command('chmod', '755', this.folder);
    appendFileSync(this.hosts, '127.0.0.1 localhost\n');
  }

  /**
   * Adds a member. Others find it by its name.
   *
   * @param {string} name
   * @returns {Member}
   */
  join(name) {
    const number = this.members.length + 10;
    const address = `${NETWORK}.${number}`;
    const inside = (/** @type {string[]} */ ...words) => command('ip', '-n', name, ...words);
    command('ip', 'netns', 'add', name);
    command(
      'ip',
      'link',
      'add',
      `port${number}`,
      'master',
      'bridge',
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'netns',
      name,
    );
    command('ip', 'link', 'set', `port${number}`, 'up');
    inside('address', 'add', `${address}/24`, 'dev', 'eth0');
    inside('link', 'set', 'eth0', 'up');
    inside('link', 'set', 'lo', 'up');
    appendFileSync(this.hosts, `${address} ${name}\n`);
    const member = { name, address, log: path.join(this.folder, `${name}.log`) };
    this.members.push(member);
    return member;
  }

  /**
   * Starts a program of this machine in the network of a member.
   *
   * @param {Member} member
   * @param {string[]} words
   */
  start(member, words) {
    const log = openSync(member.log, 'a');
    const child = spawn('ip', ['netns', 'exec', member.name, ...words], { stdio: ['ignore', log, log] });
    this.processes.add(child);
    child.once('exit', () => this.processes.delete(child));
    return child;
  }

  /**
   * Starts a program of the image in the network of a member, as Docker would: as its user, on a read-only root with
   * `/tmp` in memory.
   *
   * @param {Member} member
   * @param {{ root: string; data: string; environment: string[]; words: string[] }} container
   */
  startInImage(member, { root, data, environment, words }) {
    const mounts = [
      `mount --bind '${root}' '${root}'`,
      `mount -o remount,bind,ro '${root}'`,
      `mount -t proc proc '${root}/proc'`,
      `mount --rbind /dev '${root}/dev'`,
      `mount -t tmpfs tmpfs '${root}/tmp'`,
      `mount --bind '${data}' '${root}/data'`,
      `mount --bind '${this.hosts}' '${root}/etc/hosts'`,
    ];
    const enter = ['chroot', `--userspec=${USER}:${USER}`, root, '/usr/bin/env', '-i', '-C', '/weft', ...environment];
    return this.start(member, [
      'unshare',
      '--mount',
      'sh',
      '-c',
      `${mounts.join(' && ')} && exec "$@"`,
      'sh',
      ...enter,
      ...words,
    ]);
  }

  /** Kills all programs and prints the end of their logs if something failed. */
  async close(isFailed = false) {
    for (const child of this.processes) child.kill('SIGKILL');
    while (this.processes.size > 0) await pause(50);
    if (!isFailed) return;
    for (const { name, log } of this.members) {
      if (!existsSync(log)) continue;
      process.stdout.write(`--- ${name}\n${readFileSync(log, 'utf8').slice(-3000)}\n`);
    }
  }
}

/**
 * Ends a program in order; killed after Docker's grace period of the compose file.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export async function end(child, signal = 'SIGTERM') {
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 35_000);
  const [code, by] = await ended;
  clearTimeout(timer);
  return { code, signal: by };
}

/**
 * Waits until something holds.
 *
 * @param {string} what
 * @param {() => Promise<unknown>} check an error counts as false
 * @param {number} seconds
 */
export async function until(what, check, seconds = 60) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const result = await check().catch(() => false);
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}`);
    await pause(250);
  }
}
