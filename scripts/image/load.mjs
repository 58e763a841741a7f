import { setTimeout as pause } from 'node:timers/promises';

/** Sends 50 deliveries a second until it is stopped, and counts the 202s. */
export class Load {
  accepted = 0;
  /** @type {string[]} */
  failures = [];
  isStopped = false;
  /** @type {Promise<void>[]} */
  calls = [];
  done = this.run();

  constructor(/** @type {(number: number) => Promise<{ status: number; text: string }>} */ send) {
    this.send = send;
  }

  async run() {
    await pause(0);
    while (!this.isStopped) {
      this.calls.push(this.one());
      await pause(20);
    }
    await Promise.all(this.calls);
  }

  async one() {
    try {
      const { status, text } = await this.send(this.calls.length);
      if (status === 202) this.accepted += 1;
      else this.failures.push(`${status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.failures.push(String(error));
    }
  }

  async stop() {
    this.isStopped = true;
    await this.done;
  }
}
