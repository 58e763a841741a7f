import { spawn, type ChildProcess } from 'node:child_process';
import { hostname } from 'node:os';
import type { EmbeddedDatabase } from '@/server/platform/db/postgres/embedded';
import { ProcessLifetime } from './lifetime';
import { SUPERVISED_ARGUMENT, type DatabaseResponse, type SupervisionReport } from './reports';

/** Longer than the shutdown limit of the service, so that the database stops after it. */
const SUPERVISOR_SHUTDOWN_LIMIT_MS = 45_000;
/** After the first crash the restart is immediate; after repeated crashes the delay doubles each time (backoff). */
const RESTART_BACKOFF_MS = 100;
const MAX_RESTART_BACKOFF_MS = 30_000;
/** A service that lived this long does not count as a repeated crash. */
const HEALTHY_LIFETIME_MS = 60_000;

const SUPERVISOR_LOG_LEVELS = { debug: 20, info: 30, warn: 40, error: 50 };

/** A log line in the service's format. Loading its logger would be a large part of this process's memory. */
function logSupervisorLine(level: keyof typeof SUPERVISOR_LOG_LEVELS, msg: string): void {
  const line = {
    level: SUPERVISOR_LOG_LEVELS[level],
    time: Date.now(),
    pid: process.pid,
    hostname: hostname(),
    name: 'weft',
    msg,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * Runs the service in a child process, restarts it after a crash, and keeps the embedded database running meanwhile.
 * The service sends it the settings that it needs.
 */
export class ServiceSupervisor {
  private readonly lifetime = new ProcessLifetime({ limitMs: SUPERVISOR_SHUTDOWN_LIMIT_MS });
  private service: ChildProcess | undefined;
  private database: Promise<EmbeddedDatabase> | undefined;
  /** The service was ready once: from then on it is restarted after any crash. */
  private isEstablished = false;
  /** Another process asked the service to stop. */
  private isStopping = false;
  private workerId: string | undefined;
  private crashes = 0;

  /** `command`: Node's arguments that start the service. */
  constructor(private readonly command: string[]) {
    this.lifetime.endOnSignals();
    this.lifetime.add('database', () => this.stopDatabase());
    this.lifetime.add('service', () => this.stopService());
    // If this process ends abruptly, it kills the service.
    process.once('exit', () => this.service?.kill('SIGKILL'));
  }

  start(): void {
    const predecessor = this.workerId ? [this.workerId] : [];
    const startedAt = performance.now();
    const service = spawn(process.execPath, [...this.command, SUPERVISED_ARGUMENT, ...predecessor], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    this.service = service;
    service.on('message', (report: SupervisionReport) => void this.onReport(report, service));
    // The process could not be created; the machine may have resources for it later.
    service.once('error', (error) => this.onExit(null, error.message, 0));
    service.once('exit', (code, signal) => this.onExit(code, signal, performance.now() - startedAt));
  }

  /** An orderly shutdown, also one not requested here, and a failure of the very first start are final. */
  private onExit(code: number | null, reason: string | null, livedMs: number): void {
    if (this.lifetime.isEnding) return;
    const isFinal = code === 0 || this.isStopping || (code !== null && !this.isEstablished);
    if (isFinal) return void this.lifetime.end(code ?? 1);
    if (livedMs > HEALTHY_LIFETIME_MS) this.crashes = 0;
    const waitMs =
      this.crashes === 0 ? 0 : Math.min(RESTART_BACKOFF_MS * 2 ** (this.crashes - 1), MAX_RESTART_BACKOFF_MS);
    this.crashes += 1;
    const what = `The service (process ${this.service?.pid}) died: ${reason ?? `exit code ${code}`}.`;
    logSupervisorLine('error', `${what} It restarts in ${waitMs} ms.`);
    setTimeout(() => {
      if (!this.lifetime.isEnding) this.start();
    }, waitMs);
  }

  private async onReport(report: SupervisionReport, service: ChildProcess): Promise<void> {
    switch (report.kind) {
      case 'database':
        service.send(await this.openDatabase(report), () => undefined);
        break;
      case 'worker':
        this.workerId = report.id;
        break;
      case 'ready':
        this.isEstablished = true;
        break;
      case 'stopping':
        this.isStopping = true;
        break;
    }
  }

  private async openDatabase({
    dataDir,
    logLevel,
  }: Extract<SupervisionReport, { kind: 'database' }>): Promise<DatabaseResponse> {
    try {
      const { isOperatorLogLine: isOperatorLine, startEmbeddedDatabase: startEmbedded } =
        await import('@/server/platform/db/postgres/embedded');
      const logLine = (line: string) => {
        const level = isOperatorLine(line) ? 'warn' : 'debug';
        if (SUPERVISOR_LOG_LEVELS[level] >= SUPERVISOR_LOG_LEVELS[logLevel]) logSupervisorLine(level, line);
      };
      // Another supervisor may have moved the database since.
      const current = await this.database;
      this.database = current?.isOwner ? this.database : startEmbedded({ dataDir, log: logLine });
      const { url = '', pid = 0 } = (await this.database) ?? {};
      return { url, pid };
    } catch (error) {
      this.database = undefined;
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  private async stopDatabase(): Promise<void> {
    // The start failure has been reported already.
    const database = await this.database?.catch(() => undefined);
    await database?.stop();
  }

  private async stopService(): Promise<void> {
    const { service } = this;
    if (!service || service.exitCode !== null || service.signalCode !== null) return;
    const exit = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    await exit;
    if (service.exitCode !== 0) throw new Error(`It ended with ${service.signalCode ?? service.exitCode}.`);
  }
}
